package dev.waybill.inbox;

import java.time.Duration;

/**
 * How a message is tried again while its session is held.
 *
 * @param first rest before the second try; doubles from try to try
 * @param longest longest rest between tries
 * @param maxInPlace how long a message is tried before it counts as failed; shorter than the lock is renewed for
 */
public record RetryPolicy(Duration first, Duration longest, Duration maxInPlace) {
    /** 100 ms, doubling up to 5 s, for 60 s. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(60));

    /** Refuses durations that are not positive or not in order. */
    public RetryPolicy {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0 || maxInPlace.isNegative()) {
            throw new IllegalArgumentException("A retry policy needs 0 < first <= longest and 0 <= maxInPlace");
        }
    }

    Duration rest(int tries) {
        Duration rest = first.multipliedBy(1L << Math.min(tries - 1, 20));
        return rest.compareTo(longest) < 0 ? rest : longest;
    }
}
