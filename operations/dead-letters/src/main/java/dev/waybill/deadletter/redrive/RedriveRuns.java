package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRefusedException;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.RedriveRun.State;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** The runs in their table, and their steps. Thread-safe. */
public final class RedriveRuns {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final RedrivePlanner planner;
    private final RedriveBatch batch;

    public RedriveRuns(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = dsl;
        this.schema = schema;
        planner = new RedrivePlanner(schema);
        batch = new RedriveBatch(schema, batchRows);
    }

    public RedrivePlan plan(Condition which, RedriveRequest request) {
        return planner.plan(dsl, which, request);
    }

    /**
     * Begins a run in a transaction that sees one snapshot.
     *
     * @throws RedriveRefusedException if the plan is not possible
     */
    public long begin(DSLContext tx, Condition which, RedriveRequest request, AuditContext instruction) {
        if (!planner.isPossible(tx, which, request)) {
            throw new RedriveRefusedException(planner.plan(tx, which, request));
        }
        return planner.begin(tx, which, request, instruction);
    }

    public Map<Long, String> refusals(Condition which, RedriveRequest request) {
        return planner.refusals(dsl, which, request);
    }

    public static Optional<String> unsendable(DeadLetter letter, MessageContent content) {
        return Optional.ofNullable(SendObstacle.of(letter, content));
    }

    public String unserved(String entity, RedriveRequest request) {
        return planner.unserved(dsl, entity, request);
    }

    public RedriveRun.Step step(long run) {
        return YieldingAppend.take(dsl, schema, append -> batch.take(append, run));
    }

    public List<RedriveRun> all(Condition which) {
        return dsl.selectFrom(DEAD_LETTER_REDRIVE)
                .where(which)
                .orderBy(DEAD_LETTER_REDRIVE.ID)
                .fetch(RedriveRows::run);
    }

    public List<RedriveRun> latest(long before, int most) {
        return dsl.selectFrom(DEAD_LETTER_REDRIVE)
                .where(DEAD_LETTER_REDRIVE.ID.lt(before))
                .orderBy(DEAD_LETTER_REDRIVE.ID.desc())
                .limit(most)
                .fetch(RedriveRows::run);
    }

    /** Moves a run from one state to another, with its audit row; false if it was in another state. */
    public boolean move(long run, String action, State from, State to, AuditContext instruction) {
        return dsl.transactionResult(tx -> move(tx.dsl(), run, action, from, to, instruction));
    }

    private static boolean move(
            DSLContext tx, long run, String action, State from, State to, AuditContext instruction) {
        boolean changed = tx.update(DEAD_LETTER_REDRIVE)
                        .set(DEAD_LETTER_REDRIVE.STATE, DeadLetterRows.column(to))
                        .set(DEAD_LETTER_REDRIVE.CHANGED_AT, DeadLetterRows.now())
                        .set(DEAD_LETTER_REDRIVE.PACED_AT, DeadLetterRows.now())
                        .where(
                                DEAD_LETTER_REDRIVE.ID.eq(run),
                                DEAD_LETTER_REDRIVE.STATE.eq(DeadLetterRows.column(from)))
                        .execute()
                == 1;
        if (changed) {
            DeadLetterAudit.write(
                    tx,
                    List.of(),
                    new Entry(action, instruction, run),
                    Map.of("state", DeadLetterRows.column(from)),
                    Map.of("state", DeadLetterRows.column(to)));
        }
        return changed;
    }
}
