package dev.waybill.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completions on their way to the broker, so many at once. Thread-safe. */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    /** A completion may fail now and then, for a lock that ran out. */
    private static final int NO_ACCIDENT = 10;

    private final DeadLetterQueue queue;
    private final Semaphore permits;
    private final int most;
    private int inARow;
    private @Nullable Throwable last;

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
    private void end(Arrival arrival, @Nullable Throwable failure) {
        permits.release();
        note(failure);
        if (failure != null) {
            LOG.debug(
                    "Dead letter {} of {} could not be completed",
                    arrival.origin().sequenceNumber(),
                    queue.entity(),
                    failure);
        }
    }

    private synchronized void note(@Nullable Throwable failure) {
        inARow = failure == null ? 0 : inARow + 1;
        last = failure;
    }

    /** Why so many have failed, and none has not, since this was asked last and answered; null as long as it may be chance. */
    synchronized @Nullable Throwable failing() {
        if (inARow < NO_ACCIDENT) {
            return null;
        }
        inARow = 0;
        return last;
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
