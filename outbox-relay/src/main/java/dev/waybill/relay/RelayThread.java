package dev.waybill.relay;

import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that takes turns until it is stopped. What a turn does and how long to rest after it is the step's affair. */
final class RelayThread {
    private static final Logger LOG = LoggerFactory.getLogger(RelayThread.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final Waiter waiter;
    private final Thread thread;
    private volatile boolean stopping;

    /** @param step takes one turn and says how long to rest */
    RelayThread(String name, Supplier<Duration> step) {
        this(name, step, () -> {}, new Waiter());
    }

    /**
     * The same with something to do when it is stopped.
     *
     * @param last done by the thread itself after its last turn
     * @param waiter ends a rest when signalled
     */
    RelayThread(String name, Supplier<Duration> step, Runnable last, Waiter waiter) {
        this.waiter = waiter;
        thread = new Thread(() -> loop(step, last), name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void wake() {
        waiter.signal();
    }

    /** Lets the turn under way be the last. */
    void stop() {
        stopping = true;
        waiter.signal();
    }

    /** Waits for the end of the last turn, at most so long. */
    void join(Duration patience) throws InterruptedException {
        thread.join(Math.max(1, patience.toMillis()));
    }

    private void loop(Supplier<Duration> step, Runnable last) {
        try {
            while (!stopping) {
                waiter.await(turn(step));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            last.run();
        }
    }

    // Nobody would see that the thread has ended: an Error of a moment, as of a full heap, must not end it.
    private Duration turn(Supplier<Duration> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error e) {
            LOG.error("A turn of {} failed; the next one follows", thread.getName(), e);
            return AFTER_FAILURE;
        }
    }
}
