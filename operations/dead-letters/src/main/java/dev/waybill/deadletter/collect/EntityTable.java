package dev.waybill.deadletter.collect;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.hold.Cause;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import org.jooq.DSLContext;

/** What collectors report about their entities, so that an entity without dead letters differs from one without a collector. */
final class EntityTable {
    private final DSLContext dsl;
    private final SqlFiles sql;

    EntityTable(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(EntityTable.class, schema);
    }

    void alive(DeadLetterEntity entity, Duration atMost) {
        dsl.execute(
                sql.get("entity-alive"),
                val(entity.path()),
                val(entity.transfer()),
                val(entity.destination()),
                val(atMost.toMillis()));
    }

    /** Counts letters in the transaction that stores them, and ends a failure if everything works. */
    void collected(DSLContext tx, DeadLetterEntity entity, int count, boolean works) {
        tx.execute(sql.get("entity-collected"), val(entity.path()), val(entity.transfer()), val(count), val(works));
    }

    void drained(DeadLetterEntity entity) {
        dsl.execute(sql.get("entity-drained"), val(entity.path()), val(entity.transfer()));
    }

    void failed(DeadLetterEntity entity, Cause cause) {
        dsl.execute(
                sql.get("entity-failed"),
                val(entity.path()),
                val(entity.transfer()),
                val(entity.destination()),
                val(cause.reason()),
                val(cause.description()));
    }
}
