package dev.waybill.deadletter;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Something that is due the first time and then after each rest. Not thread-safe. */
final class Interval {
    private final long rest;
    private final LongSupplier nanoTime;
    private long last;
    private boolean waiting;

    Interval(Duration rest, LongSupplier nanoTime) {
        this.rest = rest.toNanos();
        this.nanoTime = nanoTime;
    }

    boolean isDue() {
        return !waiting || nanoTime.getAsLong() - last >= rest;
    }

    void taken() {
        last = nanoTime.getAsLong();
        waiting = true;
    }

    /** It is due again at once. */
    void reset() {
        waiting = false;
    }
}
