package dev.waybill.inbox;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Time as a worker knows it: the process's clock, and rests that end when the consumer stops. */
record Pace(LongSupplier nanoTime, Rest rest) {
    long now() {
        return nanoTime.getAsLong();
    }

    Duration since(long then) {
        return Duration.ofNanos(now() - then);
    }

    boolean stopping() throws InterruptedException {
        return !rest.during(Duration.ZERO);
    }
}
