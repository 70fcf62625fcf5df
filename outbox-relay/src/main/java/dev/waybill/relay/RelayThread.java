package dev.waybill.relay;

import java.time.Duration;
import java.util.function.Supplier;

/** A thread that takes turns until it is stopped. What a turn does and how long to rest after it is the step's affair. */
final class RelayThread {
    private final Waiter waiter = new Waiter();
    private final Thread thread;
    private volatile boolean stopping;

    /** @param step takes one turn and says how long to rest; must not throw */
    RelayThread(String name, Supplier<Duration> step) {
        thread = new Thread(() -> loop(step), name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void wake() {
        waiter.signal();
    }

    /** Lets the turn under way end and waits for it, at most so long. */
    void stop(Duration patience) throws InterruptedException {
        stopping = true;
        waiter.signal();
        thread.join(patience.toMillis());
    }

    private void loop(Supplier<Duration> step) {
        try {
            while (!stopping) {
                waiter.await(step.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
