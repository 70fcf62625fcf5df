package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;

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
 * Re-drives dead letters in runs. A run begins over the letters that are open at that moment, in the order in which their
 * messages were first enqueued. Each step is a transaction that appends copies to the outbox, or hands messages to a consumer's
 * hold, and closes the letters. A run that was interrupted continues where it stopped and re-drives nothing twice.
 *
 * <p>A copy has the logical id and the session of its message, and a broker id of its own, so that no duplicate detection drops
 * it. It follows what was appended to its session before.
 *
 * <p>Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe; steps of one run wait for each other.
 */
public final class Redrives {
    private final DSLContext dsl;
    private final RedriveRuns runs;

    private Redrives(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = dsl;
        runs = new RedriveRuns(dsl, schema, batchRows);
    }

    public static Redrives in(DataSource dataSource, SchemaName schema) {
        return in(AutoCommitConnections.using(dataSource), schema, 500);
    }

    public static Redrives in(DSLContext dsl, SchemaName schema, int batchRows) {
        return new Redrives(CustomPlans.in(schema.in(dsl)), schema, batchRows);
    }

    /** What a re-drive would do. Only open letters of the filter are taken. */
    public RedrivePlan plan(DeadLetterFilter filter, RedriveRequest request) {
        return runs.plan(filter.condition(), request);
    }

    /**
     * Begins a run over open letters. Sends nothing yet.
     *
     * @return the run, for {@link #step} or {@link #finish}
     * @throws RedriveRefusedException if the plan is not possible; no run is begun
     */
    public long begin(DeadLetterFilter filter, RedriveRequest request, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            // One snapshot to check and to choose: a letter that is collected in between is in neither.
            tx.dsl().execute("set transaction isolation level repeatable read");
            return runs.begin(tx.dsl(), filter.condition(), request, instruction);
        });
    }

    /**
     * Begins a run unless this operator has begun one since a moment, so that a form that is sent twice begins one run.
     *
     * @param since when the operator saw the plan, by the database's clock
     * @return the run, or empty
     * @throws RedriveRefusedException if the plan is not possible; no run is begun
     */
    public Optional<Long> beginOnce(
            DeadLetterFilter filter, RedriveRequest request, AuditContext instruction, Instant since) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read");
            // The lock comes before the snapshot, which then has the run of whoever was first. Steps need no such lock.
            tx.dsl().execute("lock table {0} in share update exclusive mode", DEAD_LETTER_REDRIVE);
            boolean begun = tx.dsl()
                    .fetchExists(
                            DEAD_LETTER_REDRIVE,
                            DEAD_LETTER_REDRIVE.OPERATOR.eq(instruction.operator()),
                            DEAD_LETTER_REDRIVE.STARTED_AT.ge(since.atOffset(ZoneOffset.UTC)));
            return begun
                    ? Optional.empty()
                    : Optional.of(runs.begin(tx.dsl(), filter.condition(), request, instruction));
        });
    }

    /** Why letters cannot be re-driven, of those that are open; empty if a run can begin over all of them. */
    public Map<Long, String> refusals(DeadLetterFilter filter, RedriveRequest request) {
        return runs.refusals(filter.condition(), request);
    }

    /** Why a letter cannot be sent with another content, whatever the destination; empty if it can. */
    public static Optional<String> unsendable(DeadLetter letter, MessageContent content) {
        return RedriveRuns.unsendable(letter, content);
    }

    /** Why no letter of an entity can be re-driven, such as a destination without a relay; empty if letters can. */
    public String unserved(String entity, RedriveRequest request) {
        return runs.unserved(entity, request);
    }

    /**
     * Takes the next messages of a run in one transaction, up to a session that an application is appending to. If that is the
     * first one, waits, and holds no lock that an application needs.
     *
     * @throws NoSuchElementException if there is no such run
     * @throws DataAccessException if the database fails; nothing is re-driven, and the step can be repeated
     */
    public RedriveRun.Step step(long run) {
        return runs.step(run);
    }

    /** Takes steps, at the rate of the run, until it is done or paused. */
    public RedriveRun finish(long run) throws InterruptedException {
        return finish(run, step -> {});
    }

    /** Takes steps as {@link #finish(long)}; calls {@code progress} after each commit, in the calling thread. */
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

    /** Begins a run and takes its steps until it is done or paused. */
    public RedriveRun redrive(DeadLetterFilter filter, RedriveRequest request, AuditContext instruction)
            throws InterruptedException {
        return finish(begin(filter, request, instruction));
    }

    /** Pauses a run after the step under way; false if it was not running. */
    public boolean pause(long run, AuditContext instruction) {
        return runs.move(run, "pause", RedriveRun.State.RUNNING, RedriveRun.State.PAUSED, instruction);
    }

    /** Continues a paused run, even one that has paused for its canary; false if it was not paused. */
    public boolean resume(long run, AuditContext instruction) {
        return runs.move(run, "resume", RedriveRun.State.PAUSED, RedriveRun.State.RUNNING, instruction);
    }

    /** Ends a run early; letters that it has not taken stay open. False if it was over. */
    public boolean abandon(long run, AuditContext instruction) {
        return runs.move(run, "abandon", RedriveRun.State.RUNNING, RedriveRun.State.ABANDONED, instruction)
                || runs.move(run, "abandon", RedriveRun.State.PAUSED, RedriveRun.State.ABANDONED, instruction);
    }

    public Optional<RedriveRun> show(long run) {
        return runs.all(DEAD_LETTER_REDRIVE.ID.eq(run)).stream().findFirst();
    }

    /** The runs that are neither done nor abandoned, oldest first. */
    public List<RedriveRun> underWay() {
        return runs.all(DEAD_LETTER_REDRIVE.STATE.in("running", "paused"));
    }

    /** The latest runs, newest first, before an id; {@link Long#MAX_VALUE} for the first page. */
    public List<RedriveRun> latest(long before, int most) {
        return runs.latest(before, most);
    }
}
