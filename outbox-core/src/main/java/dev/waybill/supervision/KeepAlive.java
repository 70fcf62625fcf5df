package dev.waybill.supervision;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps the JVM alive after {@code main} has returned, until it is closed. All other threads of Waybill are daemons, so that none
 * that hangs outlasts a close. Thread-safe.
 */
public final class KeepAlive implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);

    private KeepAlive() {}

    /** Starts a thread of this name, which only waits. */
    public static KeepAlive start(String name) {
        var alive = new KeepAlive();
        var thread = new Thread(alive::await, name);
        thread.setDaemon(false);
        thread.start();
        return alive;
    }

    // Only a close ends it; an interrupt of all threads does not.
    private void await() {
        while (end.getCount() > 0) {
            try {
                end.await();
            } catch (InterruptedException ignored) {
                // Waits on.
            }
        }
    }

    @Override
    public void close() {
        end.countDown();
    }
}
