package dev.waybill.deadletter.collect;

import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.store.LetterStore;
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

/** Collects from one entity: receive, store, commit, complete. Not thread-safe. */
final class CollectorTurn {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorTurn.class);

    /** A collector without a report for so long counts as dead. */
    static final Duration ALIVE_FOR = Duration.ofSeconds(30);

    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(5);

    /** A letter that was refused or not completed is delivered again when its lock expires, after five minutes at most. */
    private static final Duration UNTIL_FORGOTTEN = Duration.ofMinutes(6);

    /** The broker refuses a link sooner. */
    private static final Duration UNTIL_PROVEN = Duration.ofSeconds(5);

    /** Silence proves nothing: the SDK reconnects for ever and does not notify its receiver. */
    private static final Duration BETWEEN_PEEKS = Duration.ofSeconds(15);

    private final DSLContext dsl;
    private final DeadLetterQueue queue;
    private final Completions completions;
    private final LetterStore insert;
    private final EntityTable entities;
    private final CollectorSettings settings;
    private final Interval aliveReport;
    private final Interval drainedReport;
    private final Interval failureMemory;
    private final Interval unproven;
    private final Interval answered;
    private final Fault fault;
    private boolean refused;

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
        unproven = new Interval(UNTIL_PROVEN, nanoTime);
        answered = new Interval(BETWEEN_PEEKS, nanoTime);
        answered.begin();
        fault = new Fault(LOG, nanoTime);
        completions = new Completions(queue, settings.completionsInFlight());
        insert = new LetterStore(schema, settings.mostRedrives());
        entities = new EntityTable(dsl, schema);
    }

    /** Takes one turn, which waits for letters up to a time. Logs, records and returns a failure. */
    CollectorOutcome run(Duration atMost) throws InterruptedException {
        try {
            @Nullable Throwable lost = completions.failing();
            if (lost != null) {
                failureMemory.begin();
                fail(lost);
                return new CollectorOutcome(0, 0, lost);
            }
            // The database first: letters that are received and cannot be stored use up their locks.
            reportAlive();
            List<ReceivedDeadLetter> letters = receive(atMost);
            if (letters.isEmpty() && !unproven.isDue()) {
                return CollectorOutcome.UNPROVEN;
            }
            unproven.reset();
            if (letters.isEmpty()) {
                requireAnswer();
                fault.recovered(collectedAgain());
                reportDrained();
                return CollectorOutcome.IDLE;
            }
            answered.begin();
            drainedReport.reset();
            Stored stored = store(letters);
            completions.begin(stored.letters());
            if (stored.failure() == null) {
                fault.recovered(collectedAgain());
            }
            return new CollectorOutcome(letters.size(), stored.fresh(), stored.failure());
        } catch (RuntimeException | Error e) {
            fail(e);
            return new CollectorOutcome(0, 0, e);
        }
    }

    // A back-off proves nothing: the time begins with the first attempt after a failure.
    private List<ReceivedDeadLetter> receive(Duration atMost) throws InterruptedException {
        if (refused) {
            unproven.begin();
            refused = false;
        }
        try {
            return queue.receive(settings.batch(), atMost);
        } catch (RuntimeException e) {
            refused = true;
            throw e;
        }
    }

    private void requireAnswer() {
        if (answered.isDue()) {
            // Until it has answered, the next link is unproven too.
            refused = true;
            queue.peek(1);
            refused = false;
            answered.begin();
        }
    }

    /** Waits for completions in flight; false if it times out. */
    boolean drain(Duration atMost) throws InterruptedException {
        return completions.await(atMost);
    }

    private String collectedAgain() {
        return "Dead letters of " + queue.entity() + " are collected again";
    }

    private void reportAlive() {
        if (aliveReport.isDue()) {
            entities.alive(queue.entity(), ALIVE_FOR);
            aliveReport.begin();
        }
    }

    private void reportDrained() {
        if (drainedReport.isDue() && failureMemory.isDue()) {
            entities.drained(queue.entity());
            drainedReport.begin();
        }
    }

    private Stored store(List<ReceivedDeadLetter> letters) {
        try {
            return new Stored(letters, insert(letters), null);
        } catch (DataAccessException e) {
            if (!LetterStore.isRefusal(e)) {
                throw e;
            }
            return storeOneByOne(letters);
        }
    }

    private Stored storeOneByOne(List<ReceivedDeadLetter> letters) {
        var stored = new ArrayList<ReceivedDeadLetter>();
        int fresh = 0;
        @Nullable DataAccessException failure = null;
        for (ReceivedDeadLetter letter : letters) {
            try {
                fresh += insert(List.of(letter));
                stored.add(letter);
            } catch (DataAccessException e) {
                if (!LetterStore.isRefusal(e)) {
                    throw e;
                }
                failure = e;
                failureMemory.begin();
                report(e);
            }
        }
        return new Stored(stored, fresh, failure);
    }

    private int insert(List<ReceivedDeadLetter> letters) {
        return insert.store(
                dsl,
                letters,
                (tx, fresh) ->
                        // In a queue that is never empty, no other report would end a failure.
                        entities.collected(tx, queue.entity(), fresh, failureMemory.isDue()));
    }

    private void fail(Throwable failure) {
        aliveReport.reset();
        drainedReport.reset();
        answered.reset();
        report(failure);
        queue.renew();
    }

    private void report(Throwable failure) {
        fault.failed("Dead letters of " + queue.entity() + " could not be collected", failure);
        try {
            Throwable cause = rootOf(failure);
            entities.failed(
                    queue.entity(),
                    new Cause(
                            cause.getClass().getSimpleName(),
                            ErrorDetails.without(String.valueOf(cause.getMessage()), cause)));
        } catch (RuntimeException e) {
            LOG.debug("The failure could not be recorded", e);
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
            List<ReceivedDeadLetter> letters,
            int fresh,
            @Nullable Throwable failure) {}
}
