package dev.waybill.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a loop rests after a turn: not at all while there is work, then ever longer while there is none, and longer
 * still, with jitter, while turns fail. Not thread-safe.
 */
final class Pace {
    private static final Duration FIRST_IDLE = Duration.ofMillis(1);
    private static final Duration FIRST_FAILURE = Duration.ofMillis(100);
    private static final Duration LONGEST_FAILURE = Duration.ofSeconds(5);

    private final Duration longestIdle;
    private final RandomGenerator random;
    private Duration idle = FIRST_IDLE;
    private Duration failure = FIRST_FAILURE;

    Pace(Duration longestIdle, RandomGenerator random) {
        this.longestIdle = longestIdle;
        this.random = random;
    }

    /** Whether a glance will do because a full read comes soon: true while the rests are still short. */
    boolean mayLookOnly() {
        return idle.compareTo(FIRST_IDLE) > 0 && idle.compareTo(longestIdle) < 0 && failure.equals(FIRST_FAILURE);
    }

    Duration afterWork() {
        idle = FIRST_IDLE;
        failure = FIRST_FAILURE;
        return Duration.ZERO;
    }

    Duration afterIdle() {
        failure = FIRST_FAILURE;
        Duration rest = idle;
        idle = shorter(idle.multipliedBy(2), longestIdle);
        return rest;
    }

    Duration afterFailure() {
        long millis = failure.toMillis();
        failure = shorter(failure.multipliedBy(2), LONGEST_FAILURE);
        return Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
