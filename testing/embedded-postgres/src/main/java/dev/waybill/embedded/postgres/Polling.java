package dev.waybill.embedded.postgres;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what a server does without telling. */
final class Polling {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long REST_NANOS = Duration.ofMillis(10).toNanos();

    private Polling() {}

    /**
     * Returns once the condition is true.
     *
     * @throws IllegalStateException after 30 s, naming what did not happen
     */
    static <E extends Exception> void until(String name, Condition<E> condition) throws E {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.isTrue()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Within 30 s this did not happen: " + name);
            }
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    /** Something that becomes true. */
    @FunctionalInterface
    interface Condition<E extends Exception> {
        boolean isTrue() throws E;
    }
}
