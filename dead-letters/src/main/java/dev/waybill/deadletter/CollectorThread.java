package dev.waybill.deadletter;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a collector's turns until it is stopped; rests after failures, longer and longer. */
final class CollectorThread implements SupervisedThread.Turn {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorThread.class);
    /** A receive that finds nothing takes so long, and a stop waits for it. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final long LONGEST_REST_MILLIS = 30_000;

    private final DeadLetterQueue queue;
    private final CollectorTurn turn;
    private final SupervisedThread thread;
    private volatile Failures failures = new Failures(0, 0, null);

    CollectorThread(DeadLetterQueue queue, CollectorTurn turn) {
        this.queue = queue;
        this.turn = turn;
        thread = new SupervisedThread("waybill-dead-letters-" + queue.entity().path(), this);
    }

    void start() {
        thread.start();
    }

    /** Begins no further turn. */
    void stop() {
        thread.stop();
    }

    /** Waits for the turn and the completions under way, then closes the queue. */
    void end(Duration atMost) {
        try {
            thread.join(atMost);
            if (!turn.drain(atMost)) {
                LOG.warn("Completions of {} are still on their way; they come again", queue.entity());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queue.close();
        }
    }

    CollectorHealth.OfThread health() {
        Failures told = failures;
        SupervisedThread.State state = thread.state();
        @Nullable Throwable last = state.last() == null ? told.last : state.last();
        return new CollectorHealth.OfThread(
                queue.entity(), thread.isAlive(), told.all + state.failures(), last == null ? null : last.toString());
    }

    @Override
    public Duration take() throws InterruptedException {
        @Nullable Throwable failure = turn.run(WAIT).failure();
        failures = failures.and(failure);
        return failure == null ? Duration.ZERO : restAfter(failures.inARow);
    }

    @Override
    public Duration restAfter(int inARow) {
        long longest = Math.min(LONGEST_REST_MILLIS, 500L << Math.min(inARow, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    /** Failures that turns have told of. */
    private record Failures(long all, int inARow, @Nullable Throwable last) {
        Failures and(@Nullable Throwable failure) {
            return failure == null ? new Failures(all, 0, null) : new Failures(all + 1, inARow + 1, failure);
        }
    }
}
