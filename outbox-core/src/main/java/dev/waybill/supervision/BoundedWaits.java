package dev.waybill.supervision;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for connections, which a stop makes short: a pool waits for half a minute for a database that is away.
 * Until then each wait lasts as long as the pool says. A thread that waits too long after it is interrupted, and from
 * then on only connections that are there at once are taken. Thread-safe.
 */
public final class BoundedWaits {
    /** How long relays and consumers that stop wait for a connection: 5 s. */
    public static final Duration AT_A_STOP = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(BoundedWaits.class);
    private static final long LOOK_MILLIS = 50;

    /** For a thread to end after its wait was cut. */
    private static final long GRACE_MILLIS = 500;

    private final Set<Waiting> all = ConcurrentHashMap.newKeySet();
    private volatile boolean away;

    /**
     * Waits that nobody has made short.
     *
     * <p>One instance belongs to one relay or consumer, with all its threads.
     */
    public BoundedWaits() {}

    /** Something that waits, and ends with an exception of its own when its thread is interrupted. */
    @FunctionalInterface
    public interface Wait<T, E extends Exception> {
        /** Waits. Nothing has been done yet that an interrupt could harm. */
        T get() throws E;
    }

    /** Waits in the calling thread. No interrupt of this class is left behind. */
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

    /** From now on no wait lasts longer, until what is returned is closed. */
    public Limit limit(Duration atMost) {
        return new Limit(atMost);
    }

    /** A limit on waits, for as long as it is open. */
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

        /**
         * Does the last thing in a thread of its own, which is left behind if it takes longer than the limit: a
         * pool may look at many lost connections before it says that it has none. An interrupt does not end the
         * wait, and is kept.
         */
        public void last(String name, Runnable task) {
            Thread thread = daemon(name, task);
            thread.start();
            try (var interrupts = new DeferredInterrupts()) {
                interrupts.join(thread, atMost.plusMillis(GRACE_MILLIS));
            }
            if (thread.isAlive()) {
                LOG.warn("{} is left behind: the database has not answered for {} ms", name, atMost.toMillis());
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

    /** A thread that waits. */
    private final class Waiting {
        private final Thread thread = Thread.currentThread();
        private final long since = System.nanoTime();
        private boolean cut;
        private boolean ended;

        /** Ends the wait if it lasts; after it no other one lasts, and the thread may be at its next in no time. */
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
