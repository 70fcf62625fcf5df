package dev.waybill.proof.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When work is due again: after its interval, or up to ten intervals, so that it takes a twentieth of the time. What reads whole
 * tables would else slow down what it watches; a database that was frozen once shall still be watched. Not thread-safe.
 */
final class Due {
    private static final long SHARE = 20;
    private static final long MOST_INTERVALS = 10;

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
        long shared = SHARE * (System.nanoTime() - begunNanos);
        next = begunNanos + Math.max(interval, Math.min(shared, MOST_INTERVALS * interval));
    }

    void await() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
    }
}
