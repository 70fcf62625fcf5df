package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Retries due holds: {@link #begin}, publish or handle, {@link #done} or {@link #settle}. Immutable and thread-safe. */
public final class Attempts {
    /** Attempts without an outcome after which the hold is parked: its first message may crash the process. */
    private static final int SILENT_ATTEMPTS = 3;

    private static final Cause SILENT = new Cause(
            "AttemptsEndedSilently",
            SILENT_ATTEMPTS + " attempts at the first message were begun and none was settled: the message may be what"
                    + " ends the process that touches it");

    private static final Field<UUID> NEW_TOKEN = field("gen_random_uuid()", SQLDataType.UUID);

    private final HoldTables tables;

    private Attempts(HoldTables tables) {
        this.tables = tables;
    }

    public static Attempts in(SchemaName schema, HoldSide side) {
        return new Attempts(new HoldTables(schema, side));
    }

    private static Condition isDue() {
        return HOLD.STATE
                .eq(inline(HoldState.RETRYING.column()))
                .and(HOLD.DUE_AT.le(HoldRows.ASKED_AT))
                .and(HOLD.ATTEMPT_UNTIL.isNull().or(HOLD.ATTEMPT_UNTIL.le(HoldRows.ASKED_AT)));
    }

    /** Begins attempts at due holds that no transaction has locked; {@code which} is a condition on the table of holds. */
    public List<Attempt> begin(DSLContext dsl, Condition which, Limits limits) {
        return tables.in(dsl).transactionResult(tx -> take(tx.dsl(), which, limits));
    }

    /**
     * Removes a message that was published or handled. False if the attempt has expired and another has begun: roll back then.
     */
    public boolean done(DSLContext tx, Attempt attempt, HeldMessage message) {
        DSLContext bound = tables.in(tx);
        if (!lockOwn(bound, attempt, noCondition())) {
            return false;
        }
        bound.update(HOLD)
                .set(HOLD.ATTEMPTS, 1)
                .where(HOLD.ID.eq(attempt.holdId()))
                .execute();
        return HeldMessages.remove(bound, attempt.holdId(), List.of(message.place())) == 1;
    }

    /**
     * Ends an attempt in its own transaction: removes the messages that were published or handled, and sets the state of the
     * rest. A hold without messages ends. False, without a change, if the attempt is no longer valid.
     */
    public boolean settle(DSLContext dsl, Attempt attempt, List<HeldMessage> done, AttemptResult ending) {
        return settle(dsl, attempt, done, ending, noCondition());
    }

    /** As {@link #settle(DSLContext, Attempt, List, AttemptResult)}, if a further condition on the table of holds is true. */
    public boolean settle(
            DSLContext dsl, Attempt attempt, List<HeldMessage> done, AttemptResult ending, Condition when) {
        return tables.in(dsl).transactionResult(tx -> {
            if (!lockOwn(tx.dsl(), attempt, when)) {
                return false;
            }
            HeldMessages.remove(
                    tx.dsl(),
                    attempt.holdId(),
                    done.stream().map(HeldMessage::place).toList());
            end(tx.dsl(), attempt, !done.isEmpty(), ending);
            return true;
        });
    }

    private List<Attempt> take(DSLContext tx, Condition which, Limits limits) {
        List<Long> due = tx.select(HOLD.ID)
                .from(HOLD)
                .where(which, isDue())
                .orderBy(HOLD.DUE_AT, HOLD.ID)
                .limit(limits.holds())
                .forUpdate()
                .skipLocked()
                .fetch(HOLD.ID);
        if (due.isEmpty()) {
            return List.of();
        }
        List<Long> taken = HeldMessages.withFirstsWithin(tx, due, limits.bytes());
        parkSilent(tx, taken);
        var attempts = new ArrayList<Attempt>();
        for (Record row : mark(tx, taken, limits.length())) {
            long id = row.get(HOLD.ID);
            attempts.add(new Attempt(
                    HoldRows.key(row, tables.side()),
                    id,
                    row.get(HOLD.ATTEMPT_TOKEN),
                    row.get(HOLD.ATTEMPTS),
                    HeldMessages.first(tx, id, limits.messages(), limits.bytes() / taken.size())));
        }
        attempts.sort(Comparator.comparing(attempt -> attempt.key().text()));
        return attempts;
    }

    private static void parkSilent(DSLContext tx, List<Long> due) {
        tx.update(HOLD)
                .set(HOLD.STATE, HoldState.PARKED.column())
                .set(HOLD.REASON, SILENT.reason())
                .set(HOLD.DESCRIPTION, SILENT.description())
                .set(HOLD.TIMES_PARKED, HOLD.TIMES_PARKED.plus(1))
                .setNull(HOLD.ATTEMPT_TOKEN)
                .setNull(HOLD.ATTEMPT_UNTIL)
                .set(HOLD.CHANGED_AT, HoldRows.NOW)
                .where(HOLD.ID.in(due), HOLD.ATTEMPT_TOKEN.isNotNull(), HOLD.ATTEMPTS.ge(SILENT_ATTEMPTS))
                .execute();
    }

    private List<? extends Record> mark(DSLContext tx, List<Long> due, Duration length) {
        return tx.update(HOLD)
                .set(HOLD.ATTEMPT_TOKEN, NEW_TOKEN)
                .set(HOLD.ATTEMPT_UNTIL, HoldRows.after(length))
                .set(HOLD.ATTEMPTED_AT, HoldRows.NOW)
                .set(HOLD.ATTEMPTS, HOLD.ATTEMPTS.plus(1))
                .where(HOLD.ID.in(due), HOLD.STATE.eq(HoldState.RETRYING.column()))
                .returningResult(HoldRows.columns(tables.side()))
                .fetch();
    }

    private static boolean lockOwn(DSLContext tx, Attempt attempt, Condition when) {
        return tx.select(HOLD.ID)
                .from(HOLD)
                .where(HOLD.ID.eq(attempt.holdId()), HOLD.ATTEMPT_TOKEN.eq(attempt.token()), when)
                .forUpdate()
                .fetchOptional()
                .isPresent();
    }

    private static void end(DSLContext tx, Attempt attempt, boolean moved, AttemptResult ending) {
        if (HeldMessages.none(tx, attempt.holdId())) {
            tx.deleteFrom(HOLD).where(HOLD.ID.eq(attempt.holdId())).execute();
            return;
        }
        @Nullable Cause cause = ending.cause();
        @Nullable Duration rest = ending.rest();
        int counted = cause == null ? 0 : 1;
        tx.update(HOLD)
                .set(HOLD.STATE, ending.state().column())
                .set(HOLD.DUE_AT, rest == null ? HOLD.DUE_AT : HoldRows.after(rest))
                .set(HOLD.REASON, cause == null ? HOLD.REASON : val(cause.reason()))
                .set(HOLD.DESCRIPTION, cause == null ? HOLD.DESCRIPTION : val(cause.description()))
                .set(HOLD.TIMES_PARKED, HOLD.TIMES_PARKED.plus(rest == null ? 1 : 0))
                .set(HOLD.ATTEMPTS, moved ? val(counted) : greatest(val(0), HOLD.ATTEMPTS.minus(1 - counted)))
                .setNull(HOLD.ATTEMPT_TOKEN)
                .setNull(HOLD.ATTEMPT_UNTIL)
                .set(HOLD.CHANGED_AT, HoldRows.NOW)
                .where(HOLD.ID.eq(attempt.holdId()))
                .execute();
    }

    /** Limits of one {@link #begin}: holds, messages of each, bytes of all but at least one message, and time until expiry. */
    public record Limits(int holds, int messages, long bytes, Duration length) {
        /** Without a limit on bytes. */
        public Limits(int holds, int messages, Duration length) {
            this(holds, messages, Long.MAX_VALUE, length);
        }
    }
}
