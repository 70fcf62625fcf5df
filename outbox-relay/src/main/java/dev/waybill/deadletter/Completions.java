package dev.waybill.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completions on their way to the broker, so many at once. Thread-safe. */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final DeadLetterQueue queue;
    private final Semaphore permits;
    private final int most;
    private final AtomicLong failures = new AtomicLong();

    Completions(DeadLetterQueue queue, int most) {
        this.queue = queue;
        this.most = most;
        this.permits = new Semaphore(most);
    }

    /** Starts completing all of them; waits only where too many are on their way. */
    void begin(List<Arrival> arrivals) throws InterruptedException {
        for (Arrival arrival : arrivals) {
            permits.acquire();
            boolean begun = false;
            try {
                queue.complete(arrival).whenComplete((nothing, failure) -> end(arrival, failure));
                begun = true;
            } finally {
                if (!begun) {
                    permits.release();
                }
            }
        }
    }

    // It comes again when its lock is over, is found stored, and is completed then.
    private void end(Arrival arrival, Throwable failure) {
        permits.release();
        if (failure != null) {
            failures.incrementAndGet();
            LOG.debug(
                    "Dead letter {} of {} could not be completed",
                    arrival.origin().sequenceNumber(),
                    queue.entity(),
                    failure);
        }
    }

    /** How many have failed so far. */
    long failures() {
        return failures.get();
    }

    /** Waits until none is on its way; false if that took too long. */
    boolean await(Duration atMost) throws InterruptedException {
        boolean all = permits.tryAcquire(most, atMost.toNanos(), TimeUnit.NANOSECONDS);
        if (all) {
            permits.release(most);
        }
        return all;
    }
}
