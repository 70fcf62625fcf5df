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

/** Completes stored letters, a bounded number at once, while the collector receives the next ones. Thread-safe. */
final class Completions {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    /** Single completions fail when a lock expires. */
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

    /** Completes letters in this order. Blocks while too many wait. */
    void begin(List<ReceivedDeadLetter> letters) throws InterruptedException {
        for (ReceivedDeadLetter letter : letters) {
            room.acquire();
            waiting.add(letter);
            startWaiting();
        }
    }

    // Polls the queue again after each release: a letter that was added meanwhile may have found no permit.
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

    private void start(ReceivedDeadLetter letter) {
        try {
            queue.complete(letter).whenComplete((nothing, failure) -> end(letter, failure));
        } catch (RuntimeException | Error e) {
            end(letter, e);
        }
    }

    // After a failure the broker delivers the letter again when its lock expires.
    private void end(ReceivedDeadLetter letter, @Nullable Throwable failure) {
        note(failure);
        if (failure != null) {
            LOG.debug(
                    "Dead letter {} of {} could not be completed",
                    letter.origin().sequenceNumber(),
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

    /** The last failure, if ten have failed in a row since the last call that returned one; otherwise null. */
    synchronized @Nullable Throwable failing() {
        if (inARow < NO_ACCIDENT) {
            return null;
        }
        inARow = 0;
        return last;
    }

    boolean await(Duration atMost) throws InterruptedException {
        boolean all = room.tryAcquire(2 * mostUnderWay, atMost.toNanos(), TimeUnit.NANOSECONDS);
        if (all) {
            room.release(2 * mostUnderWay);
        }
        return all;
    }
}
