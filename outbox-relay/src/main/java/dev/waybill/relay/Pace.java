package dev.waybill.relay;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * When a loop looks for something new: a millisecond after it has found something or was told to, then after ever longer
 * rests while there is nothing, and longer still, with jitter, while the database fails. Not thread-safe.
 */
final class Pace {
    private static final Duration FIRST_IDLE = Duration.ofMillis(1);
    private static final Duration FIRST_FAILURE = Duration.ofMillis(100);
    private static final Duration LONGEST_FAILURE = Duration.ofSeconds(5);

    private final Duration longestIdle;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private Duration idle = FIRST_IDLE;
    private Duration failure = FIRST_FAILURE;
    private long lookAt;

    Pace(Duration longestIdle, RandomGenerator random, LongSupplier nanoTime) {
        this.longestIdle = longestIdle;
        this.random = random;
        this.nanoTime = nanoTime;
        this.lookAt = nanoTime.getAsLong();
    }

    boolean isLookDue() {
        return lookAt - nanoTime.getAsLong() <= 0;
    }

    /** How long until the next look is due. */
    Duration untilLook() {
        return Duration.ofNanos(Math.max(0, lookAt - nanoTime.getAsLong()));
    }

    /** Whether a glance will do because a full look comes soon: true while the rests are still short. */
    boolean mayGlance() {
        return idle.compareTo(longestIdle) < 0 && failure.equals(FIRST_FAILURE);
    }

    /** Somebody says that there is something new. Rests begin short again: more may be about to commit. */
    void woken() {
        idle = FIRST_IDLE;
        lookAt = nanoTime.getAsLong();
    }

    void afterWork() {
        idle = FIRST_IDLE;
        failure = FIRST_FAILURE;
        lookAt = nanoTime.getAsLong() + FIRST_IDLE.toNanos();
    }

    void afterIdle() {
        failure = FIRST_FAILURE;
        lookAt = nanoTime.getAsLong() + idle.toNanos();
        idle = shorter(idle.multipliedBy(2), longestIdle);
    }

    /** Says how long to rest. */
    Duration afterFailure() {
        long millis = failure.toMillis();
        failure = shorter(failure.multipliedBy(2), LONGEST_FAILURE);
        lookAt = nanoTime.getAsLong();
        return Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
