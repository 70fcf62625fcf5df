package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Defers interrupts of this thread, such as those of an executor's {@code shutdownNow()}, until a close has finished. */
public final class DeferredInterrupts implements AutoCloseable {
    private boolean met = Thread.interrupted();

    public DeferredInterrupts() {}

    @FunctionalInterface
    public interface Wait {
        /** Waits at most {@code nanos}, 0 or more; returns whether the event has happened. May be called again. */
        boolean within(long nanos) throws InterruptedException;
    }

    /** Waits at most that long, whatever the interrupts; returns whether the event has happened. */
    public boolean await(Duration atMost, Wait wait) {
        long nanos = TimeUnit.NANOSECONDS.convert(atMost);
        long begun = System.nanoTime();
        while (true) {
            try {
                return wait.within(Math.max(0, nanos - (System.nanoTime() - begun)));
            } catch (InterruptedException e) {
                met = true;
            }
        }
    }

    public void join(Thread thread, Duration atMost) {
        boolean unused = await(atMost, nanos -> {
            // Zero would mean to wait forever.
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        });
    }

    /** Defers an interrupt before code that it would break off. */
    public void deferAgain() {
        met |= Thread.interrupted();
    }

    /** Restores a deferred interrupt. */
    @Override
    public void close() {
        if (met) {
            Thread.currentThread().interrupt();
        }
    }
}
