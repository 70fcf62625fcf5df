package dev.waybill.journey;

import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.Journey.Recorded.State;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Which events the database has kept. Older databases have no tables of events. */
record EventRetention(Recorded recorded) {
    private static final String STATE = """
            select to_regclass({0}) is not null as there,
                coalesce(has_table_privilege(to_regclass({0})::oid, 'select')
                    and has_table_privilege(to_regclass({1})::oid, 'select'), false) as readable
            """;

    static State state(DSLContext dsl, SchemaName schema) {
        Record state = dsl.fetchSingle(
                STATE, DSL.val(schema.table("message_event")), DSL.val(schema.table("message_event_forgotten")));
        if (!state.get("there", Boolean.class)) {
            return State.NOT_RECORDED;
        }
        return state.get("readable", Boolean.class) ? State.RECORDED : State.NOT_READABLE;
    }

    /** Comes first in the transaction: partitions that are emptied are empty for old snapshots too. */
    static EventRetention read(DSLContext tx, SchemaName schema, State state) {
        @Nullable Instant since = null;
        if (state == State.RECORDED) {
            tx.execute("lock table " + schema.table("message_event") + " in access share mode");
            since = tx.fetch("select until from " + schema.table("message_event_forgotten")).stream()
                    .map(row -> row.get(0, OffsetDateTime.class).toInstant())
                    .findFirst()
                    .orElse(null);
        }
        return new EventRetention(new Recorded(state, since));
    }

    boolean isReadable() {
        return recorded.state() == State.RECORDED;
    }
}
