package dev.waybill.hold;

import static dev.waybill.migrations.jooq.Tables.HELD_MESSAGE;
import static dev.waybill.migrations.jooq.Tables.HOLD;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectFieldOrAsterisk;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The columns of holds, and what is asked of them in more than one place. */
final class HoldRows {
    static final Field<OffsetDateTime> NOW = field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

    private static final Field<Integer> MESSAGES = field(
                    selectCount().from(HELD_MESSAGE).where(HELD_MESSAGE.HOLD_ID.eq(HOLD.ID)))
            .as("messages");
    private static final Field<Boolean> RUNNING =
            coalesce(field(HOLD.ATTEMPT_UNTIL.gt(NOW)), DSL.inline(false)).as("running");

    private HoldRows() {}

    static Field<OffsetDateTime> after(Duration rest) {
        return field(
                "clock_timestamp() + {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(rest.toMillis()));
    }

    static Condition is(HoldKey key) {
        return HOLD.SIDE.eq(key.side().column()).and(HOLD.SCOPE.eq(key.scope())).and(HOLD.KEY.eq(key.text()));
    }

    static List<Hold> fetch(DSLContext dsl, Condition which) {
        var columns = new ArrayList<SelectFieldOrAsterisk>(List.of(HOLD.fields()));
        columns.add(MESSAGES);
        columns.add(RUNNING);
        return dsl.select(columns)
                .from(HOLD)
                .where(which)
                .orderBy(HOLD.HELD_AT, HOLD.ID)
                .fetch(HoldRows::hold);
    }

    static HoldKey key(Record row) {
        return new HoldKey(
                Side.ofColumn(row.get(HOLD.SIDE)),
                row.get(HOLD.SCOPE),
                row.get(HOLD.SESSION_ID),
                row.get(HOLD.MESSAGE_ID));
    }

    private static Hold hold(Record row) {
        @Nullable OffsetDateTime attemptedAt = row.get(HOLD.ATTEMPTED_AT);
        return new Hold(
                key(row),
                HoldState.ofColumn(row.get(HOLD.STATE)),
                row.get(HOLD.DUE_AT).toInstant(),
                new Cause(row.get(HOLD.REASON), row.get(HOLD.DESCRIPTION)),
                row.get(HOLD.ATTEMPTS),
                row.get(HOLD.TIMES_PARKED),
                row.get(MESSAGES),
                row.get(HOLD.HELD_AT).toInstant(),
                attemptedAt == null ? null : attemptedAt.toInstant(),
                row.get(RUNNING));
    }
}
