package dev.waybill.servicebus.embedded.entity;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity at one moment. Immutable.
 *
 * @param path its path
 * @param active messages that can be delivered or are being delivered
 * @param locked how many of the active ones are locked
 * @param deferred messages set aside by a receiver
 * @param scheduled messages that are not due
 * @param deadLetters messages in the dead-letter queue
 * @param transferDeadLetters messages in the transfer dead-letter queue
 * @param bytes what all of them take up
 * @param locks the messages locked now
 * @param receivers receivers that messages can go to
 * @param waitingForSession receivers that wait for a session to be available
 * @param sessions the sessions that have messages, a state or a receiver, by id
 */
public record EntitySnapshot(
        String path,
        int active,
        int locked,
        int deferred,
        int scheduled,
        int deadLetters,
        int transferDeadLetters,
        long bytes,
        List<LockView> locks,
        int receivers,
        int waitingForSession,
        List<SessionView> sessions) {
    public EntitySnapshot {
        locks = List.copyOf(locks);
        sessions = List.copyOf(sessions);
    }

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
