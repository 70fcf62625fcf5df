package dev.waybill.deadletter;

import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.CountedFailure;
import dev.waybill.supervision.DeferredInterrupts;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a collector's turns until it is stopped; rests after failures, longer and longer. */
final class CollectorThread {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorThread.class);
    /** A receive that finds nothing takes so long, and a stop waits for it. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final BackOff AFTER_FAILURE = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final DeadLetterQueue queue;
    private final CollectorTurn turn;
    private final StopSignal signal = new StopSignal();
    private final SupervisedLoop loop;

    CollectorThread(DeadLetterQueue queue, CollectorTurn turn) {
        this.queue = queue;
        this.turn = turn;
        String name = "waybill-dead-letters-" + queue.entity().path();
        loop = new SupervisedLoop(name, this::take, AFTER_FAILURE, signal);
    }

    void start() {
        loop.start();
    }

    /** Begins no further turn. */
    void stop() {
        signal.stop();
    }

    /** Waits for the turn and the completions under way, then closes the queue. An interrupt is kept until then. */
    void end(Duration atMost) {
        try (var interrupts = new DeferredInterrupts()) {
            try {
                await(atMost, interrupts);
            } finally {
                interrupts.deferAgain();
                queue.close();
            }
        }
    }

    private void await(Duration atMost, DeferredInterrupts interrupts) {
        loop.join(atMost);
        interrupts.deferAgain();
        if (!interrupts.await(atMost, nanos -> turn.drain(Duration.ofNanos(nanos)))) {
            LOG.warn("Completions of {} are still on their way; they come again", queue.entity());
        }
    }

    CollectorHealth.OfThread health() {
        SupervisedLoop.State state = loop.state();
        SupervisedLoop.@Nullable Failure last = state.failing() ? state.last() : null;
        return new CollectorHealth.OfThread(
                queue.entity(),
                state.alive(),
                state.failures(),
                last == null ? null : last.thrown().toString());
    }

    private Duration take() throws InterruptedException {
        @Nullable Throwable failure = turn.run(WAIT).failure();
        if (failure != null) {
            throw CountedFailure.logged(failure);
        }
        return Duration.ZERO;
    }
}
