package dev.waybill.inbox.lock;

import dev.waybill.supervision.Rests;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A worker's clock, and back-offs that end when the consumer stops. */
public record WorkerClock(LongSupplier nanoTime, StoppableSleep sleep) implements Rests {
    public long now() {
        return nanoTime.getAsLong();
    }

    public Duration since(long then) {
        return Duration.ofNanos(now() - then);
    }

    /** An interrupt alone is no stop and stays pending. */
    @Override
    public boolean stopping() {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return !sleep.during(Duration.ZERO);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void rest(Duration atMost) throws InterruptedException {
        sleep.during(atMost);
    }

    /** Clears an interrupt that another component left behind, unless the consumer stops. */
    public void dropStrayInterrupt() {
        if (Thread.interrupted() && stopping()) {
            Thread.currentThread().interrupt();
        }
    }
}
