package dev.waybill.relay.loop;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Destinations with new commits. Writers signal the loop only if it pauses too long: waking a thread is expensive. Thread-safe.
 */
final class Wakes {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(1);

    private final Set<String> destinations = ConcurrentHashMap.newKeySet();
    private final LongSupplier nanoTime;
    private volatile long restsUntil;
    private volatile long mayReadAt;

    Wakes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        restsUntil = nanoTime.getAsLong();
        mayReadAt = restsUntil;
    }

    /** Returns whether to signal the loop. */
    boolean add(Collection<String> names) {
        return destinations.addAll(names) && restsTooLong();
    }

    private boolean restsTooLong() {
        long earliest = Math.max(0, mayReadAt - nanoTime.getAsLong());
        return restsUntil - nanoTime.getAsLong() - earliest > SOON;
    }

    boolean isEmpty() {
        return destinations.isEmpty();
    }

    boolean contains(String destination) {
        return destinations.contains(destination);
    }

    /** A read is about to begin; later commits report the destination again. */
    void remove(String destination) {
        destinations.remove(destination);
    }

    /** Call before a pause, then check for wake-ups again: earlier writers have not signalled. */
    void rests(long until, long mayRead) {
        mayReadAt = mayRead;
        restsUntil = until;
    }
}
