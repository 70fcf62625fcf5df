package dev.waybill.benchmarks.outbox;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** When each message of a round was committed and when it was first acknowledged. Thread-safe. */
final class Latencies {
    private static final double NANOS_PER_MILLI = 1e6;

    private final String prefix;
    private final AtomicLongArray committed;
    private final AtomicLongArray acknowledged;
    private final CountDownLatch missing;

    /** @param prefix what the round's references have before their number */
    Latencies(String prefix, int messages) {
        this.prefix = prefix;
        committed = new AtomicLongArray(messages);
        acknowledged = new AtomicLongArray(messages);
        missing = new CountDownLatch(messages);
    }

    void committed(int message, long nanoTime) {
        committed.set(message, nanoTime);
    }

    /** A repeat changes nothing. */
    void acknowledged(String reference, long nanoTime) {
        if (!prefix.isEmpty() && reference.startsWith(prefix)) {
            int message = Integer.parseInt(reference.substring(prefix.length()));
            if (acknowledged.compareAndSet(message, 0, nanoTime)) {
                missing.countDown();
            }
        }
    }

    boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return missing.await(timeout, unit);
    }

    /** Nearest rank. */
    double percentileMillis(double rank) {
        var nanos = new long[committed.length()];
        for (int i = 0; i < nanos.length; i++) {
            // The acknowledgement may overtake the writer's return from its commit.
            nanos[i] = Math.max(0, acknowledged.get(i) - committed.get(i));
        }
        Arrays.sort(nanos);
        int index = (int) Math.ceil(rank * nanos.length) - 1;
        return nanos[Math.max(0, index)] / NANOS_PER_MILLI;
    }
}
