package dev.waybill.relay.loop;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The destinations that may have something new, by those who have committed it. Whoever tells of one signals the loop only if it
 * rests for longer than it need: to wake a thread costs more than most of what it does then. Thread-safe.
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

    /**
     * There may be something new of these.
     *
     * @return whether the loop is to be signalled
     */
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

    /** A read of this one is about to begin: whoever commits from now on tells anew. */
    void remove(String destination) {
        destinations.remove(destination);
    }

    /**
     * The loop is about to rest. It looks here once more afterwards: who came before has not signalled it.
     *
     * @param until when it looks by itself
     * @param mayRead when it may read at the earliest
     */
    void rests(long until, long mayRead) {
        mayReadAt = mayRead;
        restsUntil = until;
    }
}
