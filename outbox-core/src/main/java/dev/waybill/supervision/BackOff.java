package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays after failures: doubled up to {@code longest}, and random in the upper half, so that loops do not retry together. */
public record BackOff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 16;

    /** The delay after this number of failures in a row, from 1. */
    public Duration after(int failures) {
        long doubled = first.toMillis() << Math.min(failures - 1, MOST_DOUBLINGS);
        long most = Math.max(1, Math.min(doubled, longest.toMillis()));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }
}
