package dev.waybill.inbox;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes turn after turn. Whatever a turn throws is logged and counted, and the next one begins after a rest that
 * grows from failure to failure. An interrupt ends the thread only if the consumer stops.
 */
final class SupervisedLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedLoop.class);
    private static final Duration FIRST_REST = Duration.ofMillis(500);

    private final String name;
    private final String title;
    private final Turn turn;
    private final Pace pace;
    private final Duration longestRest;
    private volatile @Nullable Thread thread;
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable Failure last;
    private int inARow;

    /** @param longestRest between two failures */
    SupervisedLoop(String name, String title, Turn turn, Pace pace, Duration longestRest) {
        this.name = name;
        this.title = title;
        this.turn = turn;
        this.pace = pace;
        this.longestRest = longestRest;
    }

    /** One turn. */
    @FunctionalInterface
    interface Turn {
        /** Returns how long to rest before the next one. */
        Duration run() throws Exception;
    }

    @Override
    public void run() {
        while (!pace.stopping()) {
            Duration rest = take();
            if (!rest.isZero()) {
                rest(rest);
            }
        }
    }

    private Duration take() {
        try {
            pace.dropStrayInterrupt();
            Duration rest = turn.run();
            inARow = 0;
            return rest;
        } catch (CountedFailure e) {
            count(e.met());
            inARow = 0;
            return Duration.ZERO;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    private void rest(Duration pause) {
        try {
            pace.rest().during(pause);
        } catch (InterruptedException e) {
            LOG.debug("{} was interrupted while it rested", title, e);
        }
    }

    private Duration failed(Throwable thrown) {
        if (pace.stopping()) {
            return Duration.ZERO;
        }
        count(thrown);
        Duration rest = restAfter(++inARow);
        LOG.warn("{} failed and goes on in {} ms", title, rest.toMillis(), thrown);
        return rest;
    }

    private void count(Throwable thrown) {
        failures.incrementAndGet();
        last = new Failure(pace.now(), Failures.brief(thrown));
    }

    // With jitter, so that those who failed together, as when the broker throttles, do not come back together.
    private Duration restAfter(int failures) {
        long doubled = FIRST_REST.toMillis() << Math.min(failures - 1, 16);
        long longest = Math.min(doubled, Math.max(1, longestRest.toMillis()));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }

    /** Begins, or begins anew if the thread has ended although nobody stops it. */
    synchronized void start() {
        @Nullable Thread before = thread;
        if (before != null && before.isAlive()) {
            return;
        }
        if (before != null) {
            LOG.error("The thread of {} had ended; it is started anew", title);
            count(new IllegalStateException("The thread had ended"));
        }
        var fresh = new Thread(this, name);
        fresh.setDaemon(true);
        fresh.start();
        thread = fresh;
    }

    void interrupt() {
        @Nullable Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    void join(long atMostMillis) throws InterruptedException {
        @Nullable Thread running = thread;
        if (running != null) {
            running.join(atMostMillis);
        }
    }

    ConsumerHealth.Loop health() {
        @Nullable Thread running = thread;
        @Nullable Failure failure = last;
        return new ConsumerHealth.Loop(
                name,
                running != null && running.isAlive(),
                failures.get(),
                failure == null ? null : pace.since(failure.at()),
                failure == null ? null : failure.what());
    }

    private record Failure(long at, String what) {}
}
