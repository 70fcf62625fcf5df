package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Receiving;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity at one moment. Immutable.
 *
 * @param bytes size of all messages and session states
 * @param sessions those with messages, a state or a receiver, by id
 */
public record EntitySnapshot(
        String path, Counts counts, long bytes, List<LockView> locks, Receiving receiving, List<SessionView> sessions) {
    public EntitySnapshot {
        locks = List.copyOf(locks);
        sessions = List.copyOf(sessions);
    }

    /** Messages deliverable or being delivered. */
    public int active() {
        return counts.active();
    }

    /** The locked ones among the active messages. */
    public int locked() {
        return counts.locked();
    }

    public int deferred() {
        return counts.deferred();
    }

    public int scheduled() {
        return counts.scheduled();
    }

    public int deadLetters() {
        return counts.deadLetters();
    }

    public int transferDeadLetters() {
        return counts.transferDeadLetters();
    }

    public int receivers() {
        return receiving.receivers();
    }

    /** Receivers that wait for a session. */
    public int waitingForSession() {
        return receiving.waitingForSession();
    }

    /**
     * Numbers of messages.
     *
     * @param active deliverable or being delivered
     * @param locked those active messages that are locked
     */
    public record Counts(
            int active, int locked, int deferred, int scheduled, int deadLetters, int transferDeadLetters) {
        /** All messages except the transfer dead-letter queue's, as Service Bus counts. */
        public int total() {
            return active + deferred + scheduled + deadLetters;
        }
    }

    public record Receiving(int receivers, int waitingForSession) {}

    /**
     * A locked message.
     *
     * @param lockedUntil wall time
     */
    public record LockView(
            long sequenceNumber,
            @Nullable String messageId,
            @Nullable String sessionId,
            Instant lockedUntil) {}

    /**
     * A session.
     *
     * @param messages in any state
     * @param lockedUntil wall time; null without a receiver
     * @param stateBytes 0 without a state
     */
    public record SessionView(
            String id,
            int messages,
            boolean locked,
            @Nullable Instant lockedUntil,
            int stateBytes) {}
}
