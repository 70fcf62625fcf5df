package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;

import dev.waybill.deadletter.redrive.RedrivePlanner;
import dev.waybill.deadletter.redrive.RedriveRuns;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/**
 * Brings dead letters back. A run is begun over what is open at that moment, in the order in which the messages
 * were first enqueued, and then taken in steps, each a transaction that appends copies to the outbox, or hands
 * messages to a consumer's hold, and closes the dead letters. A run that was interrupted goes on where it stopped
 * and re-drives nothing twice.
 *
 * <p>A copy carries the logical id and the session of its message, and a broker id of its own, so that no
 * duplicate detection drops it and every inbox knows it. It comes behind what was appended to its session before.
 *
 * <p>Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe; steps of one run wait for each other.
 */
public final class Redrives {
    private final DSLContext dsl;
    private final RedrivePlanner planning;
    private final RedriveRuns runs;

    private Redrives(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = dsl;
        planning = new RedrivePlanner(schema);
        runs = new RedriveRuns(dsl, schema, batchRows);
    }

    /** The re-drives of a schema. */
    public static Redrives in(DataSource dataSource, SchemaName schema) {
        return in(AutoCommitConnections.using(dataSource), schema, 500);
    }

    public static Redrives in(DSLContext dsl, SchemaName schema, int batchRows) {
        return new Redrives(CustomPlans.in(schema.in(dsl)), schema, batchRows);
    }

    /**
     * Says what a re-drive would do, and does nothing. Only what is open is taken, whatever else the filter names.
     */
    public RedrivePlan plan(DeadLetterFilter filter, RedriveRequest request) {
        return planning.plan(dsl, filter.condition(), request);
    }

    /**
     * Begins a run over those that are open now. Sends nothing yet.
     *
     * @return the run, to be taken by {@link #step} or {@link #finish}
     * @throws RedriveRefusedException if the plan is not possible; nothing was begun
     */
    public long begin(DeadLetterFilter filter, RedriveRequest request, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            // One snapshot to check and to choose: what comes in between has been checked by nobody.
            tx.dsl().execute("set transaction isolation level repeatable read");
            return begin(tx.dsl(), filter, request, instruction);
        });
    }

    /**
     * The same for an order that may be given twice, as a form that is sent by two clicks: begins nothing if this
     * operator has begun a run since that moment.
     *
     * @param since the moment at which the operator has seen what the run would do, by the database's clock
     * @return the run, or empty
     * @throws RedriveRefusedException if the plan is not possible; nothing was begun
     */
    public Optional<Long> beginOnce(
            DeadLetterFilter filter, RedriveRequest request, AuditContext instruction, Instant since) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read");
            // Before the snapshot is taken, so that it has the run of whoever was first. Steps go on meanwhile.
            tx.dsl().execute("lock table {0} in share update exclusive mode", DEAD_LETTER_REDRIVE);
            boolean begun = tx.dsl()
                    .fetchExists(
                            DEAD_LETTER_REDRIVE,
                            DEAD_LETTER_REDRIVE.OPERATOR.eq(instruction.operator()),
                            DEAD_LETTER_REDRIVE.STARTED_AT.ge(since.atOffset(ZoneOffset.UTC)));
            return begun ? Optional.empty() : Optional.of(begin(tx.dsl(), filter, request, instruction));
        });
    }

    private long begin(DSLContext tx, DeadLetterFilter filter, RedriveRequest request, AuditContext instruction) {
        if (!planning.isPossible(tx, filter.condition(), request)) {
            throw new RedriveRefusedException(planning.plan(tx, filter.condition(), request));
        }
        return planning.begin(tx, filter.condition(), request, instruction);
    }

    /** Why letters cannot be re-driven, of those that are open; empty if a run can begin over all of them. */
    public Map<Long, String> refusals(DeadLetterFilter filter, RedriveRequest request) {
        return planning.refusals(dsl, filter.condition(), request);
    }

    /** Why a letter cannot be sent with another content, whatever the destination; empty if it can. */
    public static Optional<String> unsendable(DeadLetter letter, MessageContent content) {
        return RedrivePlanner.unsendable(letter, content);
    }

    /** Why no letter of an entity can be re-driven, such as a destination without a relay; empty if letters can. */
    public String unserved(String entity, RedriveRequest request) {
        return planning.unserved(dsl, entity, request);
    }

    /**
     * Takes the next messages of a run in one transaction, as far as nobody is appending to their sessions. Waits if
     * somebody is appending to that of the first one, and holds nothing meanwhile that an application needs.
     *
     * @throws NoSuchElementException if there is no such run
     * @throws DataAccessException if the database fails; nothing was re-driven then, and the step can be taken again
     */
    public RedriveRun.Step step(long run) {
        return runs.step(run);
    }

    /**
     * Takes steps, at the run's rate, until it is done or paused.
     *
     * @return the run as it stands then
     */
    public RedriveRun finish(long run) throws InterruptedException {
        return finish(run, step -> {});
    }

    /**
     * The same for somebody who wants to see it.
     *
     * @param progress is told of each step after its commit, by the caller's thread
     */
    public RedriveRun finish(long run, Consumer<RedriveRun.Step> progress) throws InterruptedException {
        while (true) {
            RedriveRun.Step step = DeadlockRetry.of(() -> step(run));
            progress.accept(step);
            if (step.state() != RedriveRun.State.RUNNING) {
                return show(run).orElseThrow();
            }
            Thread.sleep(step.rest().toMillis());
        }
    }

    /** Begins a run and finishes it, or takes it to its pause. */
    public RedriveRun redrive(DeadLetterFilter filter, RedriveRequest request, AuditContext instruction)
            throws InterruptedException {
        return finish(begin(filter, request, instruction));
    }

    /** Lets a run rest after the step under way; false if it was not running. */
    public boolean pause(long run, AuditContext instruction) {
        return runs.move(run, "pause", RedriveRun.State.RUNNING, RedriveRun.State.PAUSED, instruction);
    }

    /** Lets a run go on, also one that has paused for its canary; false if it was not paused. */
    public boolean resume(long run, AuditContext instruction) {
        return runs.move(run, "resume", RedriveRun.State.PAUSED, RedriveRun.State.RUNNING, instruction);
    }

    /** Ends a run that is not to go on; what it has not taken stays open. False if it was over already. */
    public boolean abandon(long run, AuditContext instruction) {
        return runs.move(run, "abandon", RedriveRun.State.RUNNING, RedriveRun.State.ABANDONED, instruction)
                || runs.move(run, "abandon", RedriveRun.State.PAUSED, RedriveRun.State.ABANDONED, instruction);
    }

    /** One run. */
    public Optional<RedriveRun> show(long run) {
        return runs.all(DEAD_LETTER_REDRIVE.ID.eq(run)).stream().findFirst();
    }

    /** The runs that are neither done nor abandoned, oldest first. */
    public List<RedriveRun> underWay() {
        return runs.all(DEAD_LETTER_REDRIVE.STATE.in("running", "paused"));
    }

    /**
     * The latest runs, also those that are over, the newest first.
     *
     * @param before id of the last one seen; {@link Long#MAX_VALUE} for the first page
     */
    public List<RedriveRun> latest(long before, int most) {
        return runs.latest(before, most);
    }
}
