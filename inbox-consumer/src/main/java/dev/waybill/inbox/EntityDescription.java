package dev.waybill.inbox;

import java.time.Duration;

/**
 * A description of a consumer's queue or subscription. Reading it from the broker needs the right to manage, which
 * no consumer should have; so it is stated, and checked against the consumer's settings at start.
 *
 * @param path the entity's path: {@code orders} or {@code events/Subscriptions/ledger}
 * @param sessions whether the entity requires sessions
 * @param lockDuration how long the broker locks a message or session
 * @param maxDeliveryCount after how many failed deliveries the broker itself dead-letters
 * @param prefetch messages that wait, locked, in a receiver's buffer; 0 for none
 * @param deletesOnReceive whether a message is gone once it was sent to the receiver, handled or not
 */
public record EntityDescription(
        String path,
        boolean sessions,
        Duration lockDuration,
        int maxDeliveryCount,
        int prefetch,
        boolean deletesOnReceive) {
    /** The broker's default: 1 min. */
    public static final Duration DEFAULT_LOCK_DURATION = Duration.ofMinutes(1);

    /** The broker's default: 10. */
    public static final int DEFAULT_MAX_DELIVERY_COUNT = 10;

    private static final Duration LONGEST_LOCK = Duration.ofMinutes(5);

    /** Refuses what no entity can have. */
    public EntityDescription {
        if (lockDuration.isNegative() || lockDuration.isZero() || lockDuration.compareTo(LONGEST_LOCK) > 0) {
            throw new IllegalArgumentException("'" + path + "': a lock lasts up to 5 minutes, not " + lockDuration);
        }
        if (maxDeliveryCount < 1 || maxDeliveryCount > 2000) {
            throw new IllegalArgumentException(
                    "'" + path + "': the maximum delivery count is 1 to 2000, not " + maxDeliveryCount);
        }
        if (prefetch < 0) {
            throw new IllegalArgumentException("'" + path + "': prefetch is 0 or more, not " + prefetch);
        }
    }

    /** A queue or subscription with the broker's default settings, received under lock, without prefetch. */
    public static EntityDescription of(String path, boolean sessions) {
        return new EntityDescription(path, sessions, DEFAULT_LOCK_DURATION, DEFAULT_MAX_DELIVERY_COUNT, 0, false);
    }

    /** The same with sessions. */
    public EntityDescription withSessions() {
        return new EntityDescription(path, true, lockDuration, maxDeliveryCount, prefetch, deletesOnReceive);
    }

    /** The same with another lock duration. */
    public EntityDescription withLockDuration(Duration duration) {
        return new EntityDescription(path, sessions, duration, maxDeliveryCount, prefetch, deletesOnReceive);
    }

    /** The same with another maximum delivery count. */
    public EntityDescription withMaxDeliveryCount(int count) {
        return new EntityDescription(path, sessions, lockDuration, count, prefetch, deletesOnReceive);
    }

    /** The same with prefetch. */
    public EntityDescription withPrefetch(int messages) {
        return new EntityDescription(path, sessions, lockDuration, maxDeliveryCount, messages, deletesOnReceive);
    }

    /** The same with messages that are gone once received. */
    public EntityDescription deletingOnReceive() {
        return new EntityDescription(path, sessions, lockDuration, maxDeliveryCount, prefetch, true);
    }
}
