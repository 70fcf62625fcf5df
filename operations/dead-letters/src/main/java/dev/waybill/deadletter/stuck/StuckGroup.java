package dev.waybill.deadletter.stuck;

import java.time.Duration;

/**
 * Messages that do not move by themselves.
 *
 * @param scope the entity of dead letters, the destination of held outbox messages, the consumer of held inbox messages
 * @param state open, quarantined, retrying or parked
 * @param oldestAge since the first of them has been here
 */
public record StuckGroup(Where where, String scope, String reason, String state, long count, Duration oldestAge) {
    /** Where they are. */
    public enum Where {
        /** Collected from the broker; see {@link DeadLetters}. */
        DEAD_LETTERS,
        /** In front of the broker; see {@code Holds.ofOutbox}. */
        HELD_IN_OUTBOX,
        /** In front of a handler; see {@code Holds.ofInbox}. */
        HELD_IN_INBOX
    }
}
