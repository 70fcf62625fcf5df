package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message to be handled in a transaction.
 *
 * @param recorder that records it
 * @param next the message that is handled after it, and that may be begun with its commit; null if none is known
 */
public record Handling(
        InboundMessage message, Recorder recorder, @Nullable InboundMessage next) {
    public static Handling alone(InboundMessage message, Recorder recorder) {
        return new Handling(message, recorder, null);
    }

    /** The same with nothing after it. */
    public Handling alone() {
        return alone(message, recorder);
    }
}
