package dev.waybill.supervision;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits waits for connections during a stop: longer waits are interrupted, and later ones only succeed at once. Thread-safe.
 */
public final class BoundedWaits {
    /** The limit for relays and consumers that stop: 5 s. */
    public static final Duration AT_A_STOP = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(BoundedWaits.class);
    private static final long LOOK_MILLIS = 50;

    /** The time for a thread to end after its wait was interrupted. */
    private static final long GRACE_MILLIS = 500;

    private final Set<Waiting> all = ConcurrentHashMap.newKeySet();
    private volatile boolean away;

    /** Waits without a limit. A relay or consumer has one instance for all its threads. */
    public BoundedWaits() {}

    /** A wait that throws its own exception if its thread is interrupted. */
    @FunctionalInterface
    public interface Wait<T, E extends Exception> {
        /** Must do nothing that an interrupt could harm. */
        T get() throws E;
    }

    /** Waits on the calling thread, which keeps no interrupt of this class. */
    public <T, E extends Exception> T during(Wait<T, E> wait) throws E {
        var waiting = new Waiting();
        all.add(waiting);
        try {
            if (away) {
                waiting.interrupt();
            }
            T got = wait.get();
            away = false;
            return got;
        } finally {
            all.remove(waiting);
            waiting.end();
        }
    }

    /** Limits all waits until the returned limit is closed. */
    public Limit limit(Duration atMost) {
        return new Limit(atMost);
    }

    public final class Limit implements AutoCloseable {
        private final long start = System.nanoTime();
        private final Duration atMost;
        private final CountDownLatch over = new CountDownLatch(1);

        private Limit(Duration atMost) {
            this.atMost = atMost;
            daemon("waybill-stop-waits", this::look).start();
        }

        private void look() {
            try {
                while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    all.forEach(this::cutIfLong);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void cutIfLong(Waiting waiting) {
            long since = Math.max(start, waiting.since);
            if (System.nanoTime() - since > atMost.toNanos()) {
                waiting.cut();
            }
        }

        /** Runs a last task on a daemon thread and abandons it after the limit. An interrupt of the caller is kept. */
        public void last(String name, Runnable task) {
            Thread thread = daemon(name, task);
            thread.start();
            try (var interrupts = new DeferredInterrupts()) {
                interrupts.join(thread, atMost.plusMillis(GRACE_MILLIS));
            }
            if (thread.isAlive()) {
                LOG.warn("Stopped waiting for {}: the database did not respond within {} ms", name, atMost.toMillis());
            }
        }

        @Override
        public void close() {
            over.countDown();
        }
    }

    private static Thread daemon(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private final class Waiting {
        private final Thread thread = Thread.currentThread();
        private final long since = System.nanoTime();
        private boolean cut;
        private boolean ended;

        /** Interrupts the wait unless it has ended; from then on no wait blocks. */
        synchronized void cut() {
            if (!cut && !ended) {
                away = true;
                interrupt();
            }
        }

        synchronized void interrupt() {
            cut = true;
            thread.interrupt();
        }

        synchronized void end() {
            ended = true;
            if (cut) {
                boolean unused = Thread.interrupted();
            }
        }
    }
}
