package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message to be handled in a transaction.
 *
 * @param terms on which it is admitted
 * @param next the message that is handled after it, and that may be begun with its commit; null if none is known
 */
public record Handling(
        InboundMessage message, Admitter terms, @Nullable InboundMessage next) {
    public static Handling alone(InboundMessage message, Admitter terms) {
        return new Handling(message, terms, null);
    }

    /** The same with nothing after it. */
    public Handling alone() {
        return alone(message, terms);
    }
}
