package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats a turn until it is stopped. Neither a failed turn nor a stray interrupt ends it: the loop logs and
 * counts the failure, backs off and takes the next turn. Thread-safe.
 */
public final class SupervisedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedLoop.class);

    /** The pause after a failure of the loop itself. */
    private static final Duration AFTER_WORSE = Duration.ofSeconds(1);

    private final Turn turn;
    private final BackOff backOff;
    private final Rests rests;
    private final Runnable last;
    private final Thread thread;
    private final String relief;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private final AtomicLong failures = new AtomicLong();
    private final AtomicInteger inARow = new AtomicInteger();
    private volatile @Nullable Throwable lastFailure;
    private volatile long failedAtNanos;

    /** @param name of the daemon thread */
    public SupervisedLoop(String name, Turn turn, BackOff backOff, Rests rests) {
        this(name, turn, backOff, rests, () -> {});
    }

    /** @param last runs on the loop's thread after its last turn */
    public SupervisedLoop(String name, Turn turn, BackOff backOff, Rests rests, Runnable last) {
        this.turn = turn;
        this.backOff = backOff;
        this.rests = rests;
        this.last = last;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        relief = "The turns of " + name + " work again";
    }

    /** Lets a shared outage log failures of the database. If {@code waitedFor}, it lasts until this loop works again. */
    public void share(Outage outage, boolean waitedFor) {
        fault.share(outage, waitedFor);
    }

    @FunctionalInterface
    public interface Turn {
        /** Returns the pause after the turn. */
        Duration take() throws Exception;
    }

    public void start() {
        thread.start();
    }

    /** Interrupts the current turn. Ends the loop only after a stop. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits at most that long for the end of the loop. An interrupt does not end the wait, and is kept. */
    public void join(Duration atMost) {
        try (var interrupts = new DeferredInterrupts()) {
            interrupts.join(thread, atMost);
        }
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    public String name() {
        return thread.getName();
    }

    public State state() {
        @Nullable Throwable failure = lastFailure;
        return new State(
                thread.isAlive(),
                failures.get(),
                inARow.get() > 0,
                failure == null ? null : new Failure(failure, Duration.ofNanos(System.nanoTime() - failedAtNanos)));
    }

    /** A loop's thread, failed turns since the start, whether the last turn failed, and the last failure. */
    public record State(
            boolean alive,
            long failures,
            boolean failing,
            @Nullable Failure last) {}

    /** A failed turn, and its age. */
    public record Failure(Throwable thrown, Duration ago) {}

    private void run() {
        try {
            while (!rests.stopping()) {
                try {
                    turns();
                } catch (Throwable e) {
                    endure(e);
                }
            }
        } finally {
            last.run();
        }
    }

    // Logging has failed, usually for lack of memory, so this method allocates nothing.
    private void endure(Throwable failure) {
        count(failure);
        try {
            rest(AFTER_WORSE);
        } catch (Throwable e) {
            lastFailure = e;
        }
    }

    private void turns() {
        while (!rests.stopping()) {
            rest(turn());
        }
    }

    private Duration turn() {
        dropStrayInterrupt();
        try {
            Duration rest = turn.take();
            inARow.set(0);
            fault.recovered(relief);
            return rest;
        } catch (Throwable e) {
            return rests.stopping() ? stopped(e) : failed(e);
        }
    }

    // Usually the stop has interrupted the turn. An Error is never due to a stop.
    private Duration stopped(Throwable thrown) {
        if (thrown instanceof Error) {
            count(thrown);
            LOG.error("The last turn of {} before its stop failed", name(), thrown);
        } else {
            LOG.debug("The stop interrupted the last turn of {}", name(), thrown);
        }
        return Duration.ZERO;
    }

    // An earlier turn left the interrupt behind.
    private void dropStrayInterrupt() {
        if (Thread.interrupted() && rests.stopping()) {
            thread.interrupt();
        }
    }

    private Duration failed(Throwable thrown) {
        count(CountedFailure.unwrapped(thrown));
        if (thrown instanceof CountedFailure counted && counted.isHandled()) {
            inARow.set(0);
            return Duration.ZERO;
        }
        if (!(thrown instanceof CountedFailure)) {
            fault.failed("A turn of " + name() + " failed, and the next one follows", thrown);
        }
        return backOff.after(inARow.get());
    }

    private void rest(Duration rest) {
        long end = System.nanoTime() + rest.toNanos();
        long left = rest.toNanos();
        do {
            try {
                rests.rest(Duration.ofNanos(Math.max(0, left)));
                return;
            } catch (InterruptedException e) {
                LOG.debug("The pause of {} continues after an interrupt", name(), e);
            }
            left = end - System.nanoTime();
        } while (left > 0 && !rests.stopping());
    }

    private void count(Throwable failure) {
        failures.incrementAndGet();
        inARow.incrementAndGet();
        failedAtNanos = System.nanoTime();
        lastFailure = failure;
    }
}
