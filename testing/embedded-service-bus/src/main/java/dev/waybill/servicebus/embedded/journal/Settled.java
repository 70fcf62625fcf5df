package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a delivery.
 *
 * @param sequenceNumber the message's number in its entity
 * @param messageId its id, or null
 * @param sessionId its session, or null
 * @param outcome how it ended
 * @param at when, by the wall clock
 */
public record Settled(
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String sessionId,
        Outcome outcome,
        Instant at) {
    /** How a delivery can end. */
    public enum Outcome {
        COMPLETED,
        ABANDONED,
        DEFERRED,
        DEAD_LETTERED,
        /** Given back without counting as a failed delivery. */
        RELEASED,
        /** Nobody settled it in time, or its session was lost. */
        LOCK_LOST,
        /** Its receiver completed it, and an injected fault brings it back. */
        COMPLETED_BUT_RETURNS
    }
}
