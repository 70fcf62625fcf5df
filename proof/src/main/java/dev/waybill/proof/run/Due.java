package dev.waybill.proof.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When work is due again: after its interval, or later, so that it takes a twentieth of the time at most. What reads whole tables
 * would else slow down what it watches. Not thread-safe.
 */
final class Due {
    private static final long SHARE = 20;

    private final long interval;
    private long next = System.nanoTime();

    Due(Duration interval) {
        this.interval = interval.toNanos();
    }

    boolean isDue() {
        return System.nanoTime() - next >= 0;
    }

    /** The work that began then is over. */
    void done(long begunNanos) {
        next = begunNanos + Math.max(interval, SHARE * (System.nanoTime() - begunNanos));
    }

    void await() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
    }
}
