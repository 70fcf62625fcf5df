package dev.waybill.journey;

import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.Journey.Recorded.State;
import dev.waybill.schema.SchemaName;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** How much the database has kept of what happened beside the straight way. Asks before it reads: tables may be older. */
record EventMemory(Recorded recorded) {
    private static final String STATE = """
            select to_regclass({0}) is not null as there,
                coalesce(has_table_privilege(to_regclass({0})::oid, 'select'), false) as readable
            """;

    // The first partition is emptied when the sequence has come to the last one, or by age: then its first rows
    // are gone.
    private static final String SINCE = """
            select e.at from %1$s.message_event e
            where (select min(o.id) from %1$s.message_event o) >= 131072
            order by e.id limit 1
            """;

    static EventMemory look(DSLContext tx, SchemaName schema) {
        Record state = tx.fetchSingle(STATE, DSL.val(schema.table("message_event")));
        if (!state.get("there", Boolean.class)) {
            return new EventMemory(new Recorded(State.NOT_RECORDED, null));
        }
        if (!state.get("readable", Boolean.class)) {
            return new EventMemory(new Recorded(State.NOT_READABLE, null));
        }
        @Nullable OffsetDateTime since = tx.fetch(SINCE.formatted(schema)).stream()
                .map(row -> row.get(0, OffsetDateTime.class))
                .findFirst()
                .orElse(null);
        return new EventMemory(new Recorded(State.RECORDED, since == null ? null : since.toInstant()));
    }

    boolean isReadable() {
        return recorded.state() == State.RECORDED;
    }

    /** Whether messages in holds tell when they were added. */
    boolean knowsAdditions() {
        return recorded.state() != State.NOT_RECORDED;
    }
}
