package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HELD_MESSAGE;
import static dev.waybill.hold.HoldTables.HOLD;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Page;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record6;
import org.jooq.Result;
import org.jooq.SelectConditionStep;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Queries and columns of the tables of holds. */
final class HoldRows {
    static final Field<OffsetDateTime> NOW = field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

    /** Constant within a statement, so an index can serve the condition. */
    static final Field<OffsetDateTime> ASKED_AT = field("statement_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

    private static final Field<Integer> COUNT =
            field(selectCount().from(HELD_MESSAGE).where(HELD_MESSAGE.HOLD_ID.eq(HOLD.ID)));
    private static final Condition BUSY =
            coalesce(field(HOLD.ATTEMPT_UNTIL.gt(NOW)), inline(false)).isTrue();

    private static final Field<Integer> MESSAGES = COUNT.as("messages");
    private static final Field<Boolean> RUNNING = field(BUSY).as("running");

    private HoldRows() {}

    static Field<OffsetDateTime> after(Duration rest) {
        return field(
                "clock_timestamp() + {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(rest.toMillis()));
    }

    static Condition is(HoldKey key) {
        return HoldTables.scope(key.side()).eq(key.scope()).and(HOLD.KEY.eq(key.text()));
    }

    static List<Hold> fetch(DSLContext dsl, HoldSide side, Condition which) {
        return select(dsl, side, which).orderBy(HOLD.HELD_AT, HOLD.ID).fetch(row -> hold(row, side));
    }

    static Page<Hold> page(DSLContext dsl, HoldSide side, Condition which, long after, int most) {
        List<Hold> holds = select(dsl, side, which.and(HOLD.ID.gt(after)))
                .orderBy(HOLD.ID)
                .limit(most)
                .fetch(row -> hold(row, side));
        long more = holds.size() < most
                ? 0
                : dsl.fetchCount(HOLD, which.and(HOLD.ID.gt(holds.get(most - 1).id())));
        return new Page<>(holds, more);
    }

    private static SelectConditionStep<Record> select(DSLContext dsl, HoldSide side, Condition which) {
        var columns = new ArrayList<SelectFieldOrAsterisk>(columns(side));
        columns.add(MESSAGES);
        columns.add(RUNNING);
        return dsl.select(columns).from(HOLD).where(which);
    }

    /** The columns that {@link #key} and {@link #hold} read. */
    static List<Field<?>> columns(HoldSide side) {
        return HOLD.fieldStream()
                .<Field<?>>map(column -> column.equals(HOLD.CONSUMER) ? HoldTables.scope(side) : column)
                .toList();
    }

    static HoldTally tally(DSLContext dsl, Condition which) {
        Field<Integer> busy = DSL.count().filterWhere(BUSY);
        Field<BigDecimal> messages = coalesce(sum(COUNT).filterWhere(not(BUSY)), inline(BigDecimal.ZERO));
        return dsl.select(DSL.count(), messages, busy)
                .from(HOLD)
                .where(which)
                .fetchSingle(row ->
                        new HoldTally(row.value1() - row.value3(), row.value2().longValue(), row.value3()));
    }

    static HoldPart part(DSLContext dsl, Condition which, int most) {
        OffsetDateTime at = dsl.select(NOW).fetchSingle().value1();
        List<Long> ids = dsl.select(HOLD.ID)
                .from(HOLD)
                .where(which, HOLD.HELD_AT.le(at))
                .orderBy(HOLD.ID)
                .limit(most + 1)
                .fetch(HOLD.ID);
        int count = Math.min(most, ids.size());
        return new HoldPart(count, ids.size() > most, count == 0 ? 0 : ids.get(count - 1), at.toInstant());
    }

    static Page<HoldGroup> groups(DSLContext dsl, HoldSide side, Condition which, int most) {
        Field<String> scope = HoldTables.scope(side);
        Field<Integer> number = DSL.count();
        Field<OffsetDateTime> oldest = DSL.min(HOLD.HELD_AT);
        Field<Integer> kinds = DSL.count().over();
        Result<Record6<String, String, String, Integer, OffsetDateTime, Integer>> found = dsl.select(
                        scope, HOLD.REASON, HOLD.STATE, number, oldest, kinds)
                .from(HOLD)
                .where(which)
                .groupBy(scope, HOLD.REASON, HOLD.STATE)
                .orderBy(number.desc(), oldest)
                .limit(most)
                .fetch();
        return Page.of(
                found.map(row -> new HoldGroup(
                        row.value1(),
                        row.value2(),
                        HoldState.ofColumn(row.value3()),
                        row.value4(),
                        row.value5().toInstant())),
                found.isEmpty() ? 0 : found.get(0).value6());
    }

    static HoldKey key(Record row, HoldSide side) {
        return new HoldKey(side, row.get(HoldTables.scope(side)), row.get(HOLD.SESSION_ID), row.get(HOLD.MESSAGE_ID));
    }

    private static Hold hold(Record row, HoldSide side) {
        @Nullable OffsetDateTime attemptedAt = row.get(HOLD.ATTEMPTED_AT);
        var tries = new Hold.Tries(
                row.get(HOLD.ATTEMPTS),
                row.get(HOLD.TIMES_PARKED),
                row.get(HOLD.DUE_AT).toInstant(),
                attemptedAt == null ? null : attemptedAt.toInstant(),
                row.get(RUNNING));
        return new Hold(
                row.get(HOLD.ID),
                key(row, side),
                HoldState.ofColumn(row.get(HOLD.STATE)),
                new Cause(row.get(HOLD.REASON), row.get(HOLD.DESCRIPTION)),
                new Hold.Content(row.get(MESSAGES), row.get(HOLD.HELD_AT).toInstant()),
                tries);
    }
}
