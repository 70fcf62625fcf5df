package dev.waybill.deadletter.collect;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A period: due at first, and again when its length has passed since it began. Not thread-safe. */
final class Interval {
    private final long length;
    private final LongSupplier nanoTime;
    private long begun;
    private boolean running;

    Interval(Duration length, LongSupplier nanoTime) {
        this.length = length.toNanos();
        this.nanoTime = nanoTime;
    }

    boolean isDue() {
        return !running || nanoTime.getAsLong() - begun >= length;
    }

    void begin() {
        begun = nanoTime.getAsLong();
        running = true;
    }

    /** Makes it due at once. */
    void reset() {
        running = false;
    }
}
