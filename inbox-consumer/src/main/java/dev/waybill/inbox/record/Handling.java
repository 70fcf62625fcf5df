package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import org.jspecify.annotations.Nullable;

/** A message to handle, and the next one, which may begin with its commit; null if unknown. */
public record Handling(
        InboundMessage message, Recorder recorder, @Nullable InboundMessage next) {
    public static Handling alone(InboundMessage message, Recorder recorder) {
        return new Handling(message, recorder, null);
    }

    public Handling alone() {
        return alone(message, recorder);
    }
}
