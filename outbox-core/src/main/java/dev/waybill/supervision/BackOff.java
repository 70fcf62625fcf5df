package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Rests after failures: doubled from one failure in a row to the next, up to the longest. Each is drawn from the
 * upper half, so that loops which failed together do not come back together.
 */
public record BackOff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 16;

    /** The rest after that many failures in a row, from 1. */
    public Duration after(int failures) {
        long doubled = first.toMillis() << Math.min(failures - 1, MOST_DOUBLINGS);
        long most = Math.max(1, Math.min(doubled, longest.toMillis()));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }
}
