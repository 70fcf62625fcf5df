package dev.waybill.deadletter;

import dev.waybill.hold.Cause;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.ErrorDetails;
import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the dead letters of one entity: receive, store, commit, and only then complete. A crash in between
 * leaves them on the broker, and a message that comes a second time is found stored. Not thread-safe.
 */
final class CollectorTurn {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorTurn.class);

    /** A collector that has not reported for so long counts as gone. */
    static final Duration ALIVE_FOR = Duration.ofSeconds(30);

    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(5);

    /**
     * A message that was refused, or not completed, comes again when its lock is over, after five minutes at
     * most.
     */
    private static final Duration UNTIL_FORGOTTEN = Duration.ofMinutes(6);

    private final DSLContext dsl;
    private final DeadLetterQueue queue;
    private final Completions completions;
    private final ArrivalInsert insert;
    private final EntityTable entities;
    private final CollectorSettings settings;
    private final Interval aliveReport;
    private final Interval drainedReport;
    private final Interval failureMemory;
    private final Fault fault;

    CollectorTurn(
            DSLContext dsl,
            SchemaName schema,
            DeadLetterQueue queue,
            CollectorSettings settings,
            LongSupplier nanoTime) {
        this.dsl = dsl;
        this.queue = queue;
        this.settings = settings;
        aliveReport = new Interval(BETWEEN_REPORTS, nanoTime);
        drainedReport = new Interval(BETWEEN_REPORTS, nanoTime);
        failureMemory = new Interval(UNTIL_FORGOTTEN, nanoTime);
        fault = new Fault(LOG, nanoTime);
        completions = new Completions(queue, settings.completionsInFlight());
        insert = new ArrivalInsert(schema, settings.mostRedrives());
        entities = new EntityTable(dsl, schema);
    }

    /**
     * Takes one turn, which waits at most so long for something to come. A failure, whatever it is, is told and not thrown.
     */
    CollectorOutcome run(Duration atMost) throws InterruptedException {
        try {
            @Nullable Throwable lost = completions.failing();
            if (lost != null) {
                failureMemory.begin();
                fail(lost);
                return new CollectorOutcome(0, 0, lost);
            }
            // The database is asked first: messages that are received and cannot be stored only use up their locks.
            sayAlive();
            List<Arrival> arrivals = queue.receive(settings.batch(), atMost);
            if (arrivals.isEmpty()) {
                fault.recovered(collectedAgain());
                sayDrained();
                return CollectorOutcome.IDLE;
            }
            drainedReport.reset();
            Stored stored = store(arrivals);
            completions.begin(stored.arrivals());
            if (stored.failure() == null) {
                fault.recovered(collectedAgain());
            }
            return new CollectorOutcome(arrivals.size(), stored.fresh(), stored.failure());
        } catch (RuntimeException | Error e) {
            fail(e);
            return new CollectorOutcome(0, 0, e);
        }
    }

    /** Waits for completions that are on their way; false if that took too long. */
    boolean drain(Duration atMost) throws InterruptedException {
        return completions.await(atMost);
    }

    private String collectedAgain() {
        return "Dead letters of " + queue.entity() + " are collected again";
    }

    private void sayAlive() {
        if (aliveReport.isDue()) {
            entities.alive(queue.entity(), ALIVE_FOR);
            aliveReport.begin();
        }
    }

    private void sayDrained() {
        if (drainedReport.isDue() && failureMemory.isDue()) {
            entities.drained(queue.entity());
            drainedReport.begin();
        }
    }

    private Stored store(List<Arrival> arrivals) {
        try {
            return new Stored(arrivals, insert(arrivals), null);
        } catch (DataAccessException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            return storeOneByOne(arrivals);
        }
    }

    // A message that no row can take stays on the broker, and holds up no other.
    private Stored storeOneByOne(List<Arrival> arrivals) {
        var stored = new ArrayList<Arrival>();
        int fresh = 0;
        @Nullable DataAccessException failure = null;
        for (Arrival arrival : arrivals) {
            try {
                fresh += insert(List.of(arrival));
                stored.add(arrival);
            } catch (DataAccessException e) {
                if (!isRefusal(e)) {
                    throw e;
                }
                failure = e;
                failureMemory.begin();
                tell(e);
            }
        }
        return new Stored(stored, fresh, failure);
    }

    private int insert(List<Arrival> arrivals) {
        return insert.store(
                dsl,
                arrivals,
                (tx, fresh) ->
                        // A queue that is never empty would tell for ever of a failure that was over long ago.
                        entities.collected(tx, queue.entity(), fresh, failureMemory.isDue()));
    }

    // 22: the data is wrong; 54: it is too large.
    static boolean isRefusal(DataAccessException e) {
        @Nullable String state = e.sqlState();
        return state != null && (state.startsWith("22") || state.startsWith("54"));
    }

    private void fail(Throwable failure) {
        aliveReport.reset();
        drainedReport.reset();
        tell(failure);
        queue.renew();
    }

    private void tell(Throwable failure) {
        fault.failed("Dead letters of " + queue.entity() + " could not be collected", failure);
        try {
            Throwable cause = rootOf(failure);
            entities.failed(
                    queue.entity(),
                    new Cause(
                            cause.getClass().getSimpleName(),
                            ErrorDetails.without(String.valueOf(cause.getMessage()), cause)));
        } catch (RuntimeException e) {
            LOG.debug("Nor could that be recorded", e);
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (Throwable next = failure; next != null; next = next.getCause()) {
            root = next;
        }
        return root;
    }

    private record Stored(
            List<Arrival> arrivals, int fresh, @Nullable Throwable failure) {}
}
