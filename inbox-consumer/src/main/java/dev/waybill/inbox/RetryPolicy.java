package dev.waybill.inbox;

import java.time.Duration;

/**
 * How the consumer retries a message while it has the lock.
 *
 * @param first back-off before the second attempt; doubles with each attempt
 * @param longest longest back-off
 * @param maxInPlace how long the consumer retries before the message counts as failed
 */
public record RetryPolicy(Duration first, Duration longest, Duration maxInPlace) {
    /** 100 ms, doubling up to 5 s, for 60 s. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(60));

    // After a collision the other transaction has ended, so a retry needs almost no back-off.
    private static final Duration AFTER_COLLISION = Duration.ofMillis(1);
    private static final int QUICK_TRIES = 3;

    public RetryPolicy {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0 || maxInPlace.isNegative()) {
            throw new IllegalArgumentException("A retry policy needs 0 < first <= longest and 0 <= maxInPlace");
        }
    }

    public Duration rest(int tries) {
        Duration rest = first.multipliedBy(1L << Math.min(tries - 1, 20));
        return rest.compareTo(longest) < 0 ? rest : longest;
    }

    public Duration restAfterCollision(int tries) {
        return tries <= QUICK_TRIES ? AFTER_COLLISION : rest(tries - QUICK_TRIES);
    }
}
