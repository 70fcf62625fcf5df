package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a delivery.
 *
 * @param at wall time
 */
public record Settled(
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String sessionId,
        Outcome outcome,
        Instant at) {
    public enum Outcome {
        COMPLETED,
        ABANDONED,
        DEFERRED,
        DEAD_LETTERED,
        /** Returned without counting as a failed delivery. */
        RELEASED,
        /** The message's lock, or its session's, ended without a settlement. */
        LOCK_LOST,
        /** Completed, but an injected fault returns it. */
        COMPLETED_BUT_RETURNS
    }
}
