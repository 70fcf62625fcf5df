package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The interrupts of a thread that has something to finish: they are put off until it is done. An executor's
 * {@code shutdownNow()} interrupts the very thread that closes what it has started, and a close that is cut short
 * leaves its threads behind. Confined to the thread that made it.
 */
public final class DeferredInterrupts implements AutoCloseable {
    private boolean met = Thread.interrupted();

    /** Puts off the interrupt that is there, and those that come while something is waited for. */
    public DeferredInterrupts() {}

    /** Something that is waited for. */
    @FunctionalInterface
    public interface Wait {
        /** Waits for so many nanoseconds, 0 or more, and says whether it has come. May be called again. */
        boolean within(long nanos) throws InterruptedException;
    }

    /** Waits at most that long, however often the thread is interrupted; says whether it has come. */
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

    /** Waits for the end of the thread, at most that long. */
    public void join(Thread thread, Duration atMost) {
        boolean unused = await(atMost, nanos -> {
            // Not zero, which would mean for ever.
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        });
    }

    /** Puts off an interrupt that has come meanwhile, before something that it would break off. */
    public void deferAgain() {
        met |= Thread.interrupted();
    }

    /** Lets the thread meet them. */
    @Override
    public void close() {
        if (met) {
            Thread.currentThread().interrupt();
        }
    }
}
