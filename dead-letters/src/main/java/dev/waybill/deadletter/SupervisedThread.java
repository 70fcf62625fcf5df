package dev.waybill.deadletter;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes turns until it is stopped. Nothing that a turn throws ends it, nor does an interrupt that no stop has
 * asked for: it is logged and counted, and the next turn follows after a rest.
 */
final class SupervisedThread {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedThread.class);

    private static final Duration AFTER_WORSE = Duration.ofSeconds(1);

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private final Turn turn;
    private final AtomicLong failures = new AtomicLong();
    private final AtomicInteger inARow = new AtomicInteger();
    private volatile @Nullable Throwable last;

    SupervisedThread(String name, Turn turn) {
        this.turn = turn;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Begins no further turn. The one under way ends by itself. */
    void stop() {
        stopping.countDown();
    }

    /** The same, and interrupts the turn under way. */
    void interrupt() {
        stop();
        thread.interrupt();
    }

    void join(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    State state() {
        return new State(failures.get(), last);
    }

    private void run() {
        while (!isStopping()) {
            try {
                turns();
            } catch (Throwable e) {
                endure(e);
            }
        }
    }

    // A failure while a failure is told, in a full heap as a rule: nothing is allocated here that might fail too.
    private void endure(Throwable failure) {
        failed(failure);
        try {
            rest(AFTER_WORSE);
        } catch (Throwable e) {
            last = e;
        }
    }

    private void turns() {
        while (!isStopping()) {
            Duration rest;
            try {
                rest = turn.take();
                // Left behind by the turn; the next one is not to find it.
                if (!isStopping() && Thread.interrupted()) {
                    LOG.debug("A turn of {} left an interrupt behind", thread.getName());
                }
                inARow.set(0);
                last = null;
            } catch (Throwable e) {
                if (isStopping()) {
                    return;
                }
                failed(e);
                rest = turn.restAfter(inARow.get());
                LOG.error("A turn of {} failed; the next one follows in {}", thread.getName(), rest, e);
            }
            rest(rest);
        }
    }

    private void rest(Duration rest) {
        long end = System.nanoTime() + rest.toNanos();
        boolean stopped = false;
        for (long left = rest.toNanos(); left > 0 && !stopped; left = end - System.nanoTime()) {
            try {
                stopped = stopping.await(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                LOG.debug("The rest of {} goes on after an interrupt", thread.getName(), e);
            }
        }
    }

    private void failed(Throwable failure) {
        failures.incrementAndGet();
        inARow.incrementAndGet();
        last = failure;
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** The work that the thread does again and again. */
    interface Turn {
        /** Takes a turn and says how long to rest after it. */
        Duration take() throws Exception;

        /** How long to rest after so many turns in a row that threw something. */
        Duration restAfter(int failures);
    }

    /**
     * How turns have gone.
     *
     * @param failures how many threw something, ever
     * @param last what the last of them threw; null if a turn has worked since
     */
    record State(long failures, @Nullable Throwable last) {}
}
