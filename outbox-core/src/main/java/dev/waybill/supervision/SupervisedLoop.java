package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes turns until it is stopped. Nothing that a turn throws ends it, nor does an interrupt that no
 * stop has asked for: it is logged and counted, and the next turn follows after a rest. Thread-safe.
 */
public final class SupervisedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedLoop.class);

    /** The rest after a failure of the loop itself. */
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

    /** A loop that is not started yet, on a daemon thread of that name. */
    public SupervisedLoop(String name, Turn turn, BackOff backOff, Rests rests) {
        this(name, turn, backOff, rests, () -> {});
    }

    /**
     * The same with something to do in the end.
     *
     * @param last done by the thread itself after its last turn
     */
    public SupervisedLoop(String name, Turn turn, BackOff backOff, Rests rests, Runnable last) {
        this.turn = turn;
        this.backOff = backOff;
        this.rests = rests;
        this.last = last;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        relief = "The turns of " + name + " work again";
    }

    /**
     * Lets failures of the database be told by the outage, once for all loops that share it.
     *
     * @param waitedFor whether the outage lasts until this loop has worked again
     */
    public void share(Outage outage, boolean waitedFor) {
        fault.share(outage, waitedFor);
    }

    /** One turn of a loop. */
    @FunctionalInterface
    public interface Turn {
        /** Takes the turn and returns how long to rest after it. */
        Duration take() throws Exception;
    }

    /** Begins. */
    public void start() {
        thread.start();
    }

    /** Interrupts the turn under way. Ends the loop only if a stop was asked for before. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits for the end of the loop, at most that long. An interrupt does not end the wait, and is kept. */
    public void join(Duration atMost) {
        try (var interrupts = new DeferredInterrupts()) {
            interrupts.join(thread, atMost);
        }
    }

    /** Whether the calling thread is the loop's own. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** The name of the thread. */
    public String name() {
        return thread.getName();
    }

    /** How the loop is now. */
    public State state() {
        @Nullable Throwable failure = lastFailure;
        return new State(
                thread.isAlive(),
                failures.get(),
                inARow.get() > 0,
                failure == null ? null : new Failure(failure, Duration.ofNanos(System.nanoTime() - failedAtNanos)));
    }

    /**
     * How a loop is.
     *
     * @param alive whether its thread is there
     * @param failures how many turns have failed since the start
     * @param failing whether the last turn failed
     * @param last the last failure; null if there was none
     */
    public record State(
            boolean alive,
            long failures,
            boolean failing,
            @Nullable Failure last) {}

    /** A failure of a turn, and how long ago it was. */
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

    // A failure while a failure is told, in a full heap as a rule: nothing is allocated here that might fail too.
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
            fault.over(relief);
            return rest;
        } catch (Throwable e) {
            return rests.stopping() ? stopped(e) : failed(e);
        }
    }

    // As a rule the stop itself has interrupted the turn. An Error is never due to a stop.
    private Duration stopped(Throwable thrown) {
        if (thrown instanceof Error) {
            count(thrown);
            LOG.error("The last turn of {} failed", name(), thrown);
        } else {
            LOG.debug("The last turn of {} was broken off", name(), thrown);
        }
        return Duration.ZERO;
    }

    // Somebody has left it behind; the next turn must not meet it.
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
            fault.met("A turn of " + name() + " failed, and the next one follows", thrown);
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
                LOG.debug("The rest of {} goes on after an interrupt", name(), e);
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
