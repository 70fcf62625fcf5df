package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Receiving;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity at one moment. Immutable.
 *
 * @param path its path
 * @param counts how many messages it has, by state
 * @param bytes the size of all its messages
 * @param locks the messages locked now
 * @param receiving how many receivers it has
 * @param sessions the sessions that have messages, a state or a receiver, by id
 */
public record EntitySnapshot(
        String path, Counts counts, long bytes, List<LockView> locks, Receiving receiving, List<SessionView> sessions) {
    public EntitySnapshot {
        locks = List.copyOf(locks);
        sessions = List.copyOf(sessions);
    }

    /** Messages that can be delivered or are being delivered. */
    public int active() {
        return counts.active();
    }

    /** How many of the active messages are locked. */
    public int locked() {
        return counts.locked();
    }

    /** Messages deferred by a receiver. */
    public int deferred() {
        return counts.deferred();
    }

    /** Messages that are not due. */
    public int scheduled() {
        return counts.scheduled();
    }

    /** Messages in the dead-letter queue. */
    public int deadLetters() {
        return counts.deadLetters();
    }

    /** Messages in the transfer dead-letter queue. */
    public int transferDeadLetters() {
        return counts.transferDeadLetters();
    }

    /** Receivers that messages can go to. */
    public int receivers() {
        return receiving.receivers();
    }

    /** Receivers that wait for a session to be available. */
    public int waitingForSession() {
        return receiving.waitingForSession();
    }

    /**
     * How many messages an entity has.
     *
     * @param active messages that can be delivered or are being delivered
     * @param locked how many of the active ones are locked
     * @param deferred messages deferred by a receiver
     * @param scheduled messages that are not due
     * @param deadLetters messages in the dead-letter queue
     * @param transferDeadLetters messages in the transfer dead-letter queue
     */
    public record Counts(
            int active, int locked, int deferred, int scheduled, int deadLetters, int transferDeadLetters) {
        /** All messages but those in the transfer dead-letter queue, as Service Bus counts them. */
        public int total() {
            return active + deferred + scheduled + deadLetters;
        }
    }

    /**
     * How many receivers an entity has.
     *
     * @param receivers receivers that messages can go to
     * @param waitingForSession receivers that wait for a session to be available
     */
    public record Receiving(int receivers, int waitingForSession) {}

    /**
     * A locked message.
     *
     * @param sequenceNumber its number
     * @param messageId its id, or null
     * @param sessionId its session, or null
     * @param lockedUntil when the lock ends, by the wall clock
     */
    public record LockView(
            long sequenceNumber,
            @Nullable String messageId,
            @Nullable String sessionId,
            Instant lockedUntil) {}

    /**
     * A session.
     *
     * @param id its id
     * @param messages how many messages it has in whatever state
     * @param locked whether a receiver has it
     * @param lockedUntil when that lock ends, by the wall clock, or null
     * @param stateBytes the size of its state, 0 when it has none
     */
    public record SessionView(
            String id,
            int messages,
            boolean locked,
            @Nullable Instant lockedUntil,
            int stateBytes) {}
}
