package dev.waybill.deadletter.collect;

import dev.waybill.deadletter.CollectorHealth;
import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.CountedFailure;
import dev.waybill.supervision.DeferredInterrupts;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the turns of a collector until it is stopped, and backs off after failures. */
public final class CollectorThread {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorThread.class);
    /** A receive without letters takes so long, and a stop waits for it. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final BackOff AFTER_FAILURE = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final DeadLetterQueue queue;
    private final CollectorTurn turn;
    private final StopSignal signal = new StopSignal();
    private final SupervisedLoop loop;

    public CollectorThread(DSLContext dsl, SchemaName schema, DeadLetterQueue queue, CollectorSettings settings) {
        this.queue = queue;
        turn = new CollectorTurn(dsl, schema, queue, settings, System::nanoTime);
        String name = "waybill-dead-letters-" + queue.entity().path();
        loop = new SupervisedLoop(name, this::take, AFTER_FAILURE, signal);
    }

    public void start() {
        loop.start();
    }

    public void stop() {
        signal.stop();
    }

    /** Waits for the turn and for completions in flight, then closes the queue. Defers an interrupt until then. */
    public void end(Duration atMost) {
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
            LOG.warn(
                    "Completions of {} are unconfirmed at the stop; the broker may deliver their letters again",
                    queue.entity());
        }
    }

    public CollectorHealth.OfThread health() {
        SupervisedLoop.State state = loop.state();
        SupervisedLoop.@Nullable Failure last = state.failing() ? state.last() : null;
        return new CollectorHealth.OfThread(
                queue.entity(),
                state.alive(),
                state.failures(),
                last == null ? null : last.thrown().toString());
    }

    private Duration take() throws InterruptedException {
        CollectorOutcome outcome = turn.run(WAIT);
        // Until then, the turn does not count as a success, which would end the back-off.
        while (isUnproven(outcome) && !signal.stopping()) {
            outcome = turn.run(WAIT);
        }
        @Nullable Throwable failure = outcome.failure();
        if (failure != null) {
            throw CountedFailure.logged(failure);
        }
        return Duration.ZERO;
    }

    @SuppressWarnings("ReferenceEquality") // It is a constant, equal to the outcome of an idle turn.
    private static boolean isUnproven(CollectorOutcome outcome) {
        return outcome == CollectorOutcome.UNPROVEN;
    }
}
