package dev.waybill.deadletter.collect;

import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.ReceivedDeadLetter;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completions of what is stored. A bounded number is on its way to the broker, and as many again wait for their turn, so that
 * the collector receives and stores while the broker answers. Thread-safe.
 */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    /** A completion may fail now and then, for a lock that ran out. */
    private static final int NO_ACCIDENT = 10;

    private final DeadLetterQueue queue;
    private final int mostUnderWay;
    private final Semaphore underWay;
    private final Semaphore room;
    private final Queue<ReceivedDeadLetter> waiting = new ConcurrentLinkedQueue<>();
    private int inARow;
    private @Nullable Throwable last;

    Completions(DeadLetterQueue queue, int mostUnderWay) {
        this.queue = queue;
        this.mostUnderWay = mostUnderWay;
        underWay = new Semaphore(mostUnderWay);
        room = new Semaphore(2 * mostUnderWay);
    }

    /** Completes all of them, in this order; waits only where too many wait already. */
    void begin(List<ReceivedDeadLetter> arrivals) throws InterruptedException {
        for (ReceivedDeadLetter arrival : arrivals) {
            room.acquire();
            waiting.add(arrival);
            startWaiting();
        }
    }

    // The queue is looked at again after each release: somebody may have added to it and found no permit.
    private void startWaiting() {
        while (!waiting.isEmpty() && underWay.tryAcquire()) {
            ReceivedDeadLetter next = waiting.poll();
            if (next == null) {
                underWay.release();
            } else {
                start(next);
            }
        }
    }

    private void start(ReceivedDeadLetter arrival) {
        try {
            queue.complete(arrival).whenComplete((nothing, failure) -> end(arrival, failure));
        } catch (RuntimeException | Error e) {
            end(arrival, e);
        }
    }

    // It comes again when its lock is over, is found stored, and is completed then.
    private void end(ReceivedDeadLetter arrival, @Nullable Throwable failure) {
        note(failure);
        if (failure != null) {
            LOG.debug(
                    "Dead letter {} of {} could not be completed",
                    arrival.origin().sequenceNumber(),
                    queue.entity(),
                    failure);
        }
        underWay.release();
        room.release();
        startWaiting();
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

    /** Waits until none is left; false if that took too long. */
    boolean await(Duration atMost) throws InterruptedException {
        boolean all = room.tryAcquire(2 * mostUnderWay, atMost.toNanos(), TimeUnit.NANOSECONDS);
        if (all) {
            room.release(2 * mostUnderWay);
        }
        return all;
    }
}
