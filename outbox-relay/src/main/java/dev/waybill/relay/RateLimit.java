package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets one caller pass in each interval, the first at once. Thread-safe. */
final class RateLimit {
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final AtomicLong nextAt;

    RateLimit(Duration interval, LongSupplier nanoTime) {
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
        this.nextAt = new AtomicLong(nanoTime.getAsLong());
    }

    /** Whether this caller is the one. */
    boolean tryPass() {
        long next = nextAt.get();
        long now = nanoTime.getAsLong();
        return now - next >= 0 && nextAt.compareAndSet(next, now + intervalNanos);
    }

    /** The one that has passed has come to nothing: the next one passes in its place. */
    void giveBack() {
        nextAt.set(nanoTime.getAsLong());
    }
}
