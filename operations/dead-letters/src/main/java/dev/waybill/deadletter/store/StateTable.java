package dev.waybill.deadletter.store;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_STATE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.UpdateSetMoreStep;
import org.jooq.impl.SQLDataType;

/** The states of letters. Callers have locked the rows. */
public final class StateTable {
    private StateTable() {}

    public static void set(DSLContext tx, Collection<Long> ids, DeadLetter.State to) {
        change(tx, to).setNull(DEAD_LETTER_STATE.KEEP_UNTIL).where(any(ids)).execute();
    }

    public static void archive(DSLContext tx, Collection<Long> ids, Duration keep) {
        Field<OffsetDateTime> until = field(
                "clock_timestamp() + {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(keep.toMillis()));
        change(tx, DeadLetter.State.ARCHIVED)
                .set(DEAD_LETTER_STATE.KEEP_UNTIL, until)
                .where(any(ids))
                .execute();
    }

    public static void touch(DSLContext tx, long id) {
        tx.update(DEAD_LETTER_STATE)
                .set(DEAD_LETTER_STATE.CHANGED_AT, DeadLetterRows.now())
                .where(any(List.of(id)))
                .execute();
    }

    public static void remove(DSLContext tx, Collection<Long> ids) {
        tx.deleteFrom(DEAD_LETTER_STATE).where(any(ids)).execute();
    }

    private static UpdateSetMoreStep<?> change(DSLContext tx, DeadLetter.State to) {
        return tx.update(DEAD_LETTER_STATE)
                .set(DEAD_LETTER_STATE.STATE, DeadLetterRows.column(to))
                .set(DEAD_LETTER_STATE.CHANGED_AT, DeadLetterRows.now());
    }

    private static Condition any(Collection<Long> ids) {
        return condition("{0} = any({1})", DEAD_LETTER_STATE.ID, val(ids.toArray(Long[]::new)));
    }
}
