package dev.waybill.inbox.lock;

import dev.waybill.supervision.Rests;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Time as a worker knows it: the process's clock, and rests that end when the consumer stops. */
public record WorkerClock(LongSupplier nanoTime, StoppableSleep sleep) implements Rests {
    public long now() {
        return nanoTime.getAsLong();
    }

    public Duration since(long then) {
        return Duration.ofNanos(now() - then);
    }

    /** Whether somebody has asked for a stop. An interrupt alone is none, and stays pending. */
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

    /** Clears an interrupt that somebody has left behind, unless it asks for a stop. */
    public void dropStrayInterrupt() {
        if (Thread.interrupted() && stopping()) {
            Thread.currentThread().interrupt();
        }
    }
}
