package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE;

import dev.waybill.deadletter.DeadLetterAudits.Entry;
import dev.waybill.deadletter.RedriveRequest.Way;
import dev.waybill.deadletter.RedriveRun.State;
import dev.waybill.hold.AuditContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Rows as runs. */
final class RedriveRows {
    private RedriveRows() {}

    static RedriveRun run(Record row) {
        return new RedriveRun(
                row.get(DEAD_LETTER_REDRIVE.ID),
                DeadLetterRows.constant(State.class, row.get(DEAD_LETTER_REDRIVE.STATE)),
                order(row),
                new RedriveRun.Progress(
                        row.get(DEAD_LETTER_REDRIVE.ITEMS),
                        row.get(DEAD_LETTER_REDRIVE.POSITION),
                        row.get(DEAD_LETTER_REDRIVE.REDRIVEN)),
                new AuditContext(row.get(DEAD_LETTER_REDRIVE.OPERATOR), row.get(DEAD_LETTER_REDRIVE.REASON)),
                row.get(DEAD_LETTER_REDRIVE.STARTED_AT).toInstant());
    }

    static RedriveRequest order(Record row) {
        return new RedriveRequest(
                DeadLetterRows.constant(Way.class, row.get(DEAD_LETTER_REDRIVE.WAY)),
                Optional.ofNullable(row.get(DEAD_LETTER_REDRIVE.TARGET)),
                number(row.get(DEAD_LETTER_REDRIVE.CANARY)),
                number(row.get(DEAD_LETTER_REDRIVE.RATE)));
    }

    static List<RedriveRun> runs(DSLContext dsl, Condition which) {
        return dsl.selectFrom(DEAD_LETTER_REDRIVE)
                .where(which)
                .orderBy(DEAD_LETTER_REDRIVE.ID)
                .fetch(RedriveRows::run);
    }

    /** The newest runs before one. */
    static List<RedriveRun> latest(DSLContext dsl, long before, int most) {
        return dsl.selectFrom(DEAD_LETTER_REDRIVE)
                .where(DEAD_LETTER_REDRIVE.ID.lt(before))
                .orderBy(DEAD_LETTER_REDRIVE.ID.desc())
                .limit(most)
                .fetch(RedriveRows::run);
    }

    /** Moves a run from one state to another, with its audit row; false if it was not in the first. */
    static boolean move(DSLContext tx, long run, String action, State from, State to, AuditContext instruction) {
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
            DeadLetterAudits.write(
                    tx,
                    List.of(),
                    new Entry(action, instruction, run),
                    Map.of("state", DeadLetterRows.column(from)),
                    Map.of("state", DeadLetterRows.column(to)));
        }
        return changed;
    }

    private static OptionalInt number(@Nullable Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
