package dev.waybill.inbox;

import java.time.Duration;

/**
 * A consumer's queue or subscription. Reading these facts from the broker needs the Manage right, which a consumer should not have. So
 * the application states them, and the consumer checks its settings against them at start.
 *
 * @param path {@code orders} or {@code events/Subscriptions/ledger}
 * @param sessions whether the entity requires sessions
 * @param lockDuration the broker's lock duration, 1 s to 5 min; Azure's least is 5 s
 * @param maxDeliveryCount after how many failed deliveries the broker dead-letters, 1 to 2000
 * @param prefetch locked messages in a receiver's buffer; 0 for none
 * @param deletesOnReceive whether the broker deletes messages when it delivers them
 */
public record EntityDescription(
        String path,
        boolean sessions,
        Duration lockDuration,
        int maxDeliveryCount,
        int prefetch,
        boolean deletesOnReceive) {
    public static final Duration DEFAULT_LOCK_DURATION = Duration.ofMinutes(1);

    public static final int DEFAULT_MAX_DELIVERY_COUNT = 10;

    private static final Duration SHORTEST_LOCK = Duration.ofSeconds(1);
    private static final Duration LONGEST_LOCK = Duration.ofMinutes(5);

    public EntityDescription {
        if (lockDuration.compareTo(SHORTEST_LOCK) < 0 || lockDuration.compareTo(LONGEST_LOCK) > 0) {
            throw new IllegalArgumentException(
                    "'" + path + "': the lock duration is 1 second to 5 minutes, not " + lockDuration);
        }
        if (maxDeliveryCount < 1 || maxDeliveryCount > 2000) {
            throw new IllegalArgumentException(
                    "'" + path + "': the maximum delivery count must be 1 to 2000, not " + maxDeliveryCount);
        }
        if (prefetch < 0) {
            throw new IllegalArgumentException("'" + path + "': prefetch must be 0 or more, not " + prefetch);
        }
    }

    /** A queue or subscription with the broker's default settings, with locks and without prefetch. */
    public static EntityDescription of(String path, boolean sessions) {
        return new EntityDescription(path, sessions, DEFAULT_LOCK_DURATION, DEFAULT_MAX_DELIVERY_COUNT, 0, false);
    }

    public EntityDescription withSessions() {
        return new EntityDescription(path, true, lockDuration, maxDeliveryCount, prefetch, deletesOnReceive);
    }

    public EntityDescription withLockDuration(Duration duration) {
        return new EntityDescription(path, sessions, duration, maxDeliveryCount, prefetch, deletesOnReceive);
    }

    public EntityDescription withMaxDeliveryCount(int count) {
        return new EntityDescription(path, sessions, lockDuration, count, prefetch, deletesOnReceive);
    }

    public EntityDescription withPrefetch(int messages) {
        return new EntityDescription(path, sessions, lockDuration, maxDeliveryCount, messages, deletesOnReceive);
    }

    public EntityDescription deletingOnReceive() {
        return new EntityDescription(path, sessions, lockDuration, maxDeliveryCount, prefetch, true);
    }
}
