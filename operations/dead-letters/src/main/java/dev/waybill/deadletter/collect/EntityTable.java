package dev.waybill.deadletter.collect;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.hold.Cause;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import org.jooq.DSLContext;

/**
 * The reports of collectors about their entities: an entity without dead letters differs from one without a
 * collector.
 */
final class EntityTable {
    private final DSLContext dsl;
    private final SqlFiles sql;

    EntityTable(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(EntityTable.class, schema);
    }

    /** Somebody collects here, and will say so again before this time is over. */
    void alive(DeadLetterEntity entity, Duration atMost) {
        dsl.execute(
                sql.get("entity-alive"),
                val(entity.path()),
                val(entity.transfer()),
                val(entity.destination()),
                val(atMost.toMillis()));
    }

    /**
     * In the transaction that stores them.
     *
     * @param works whether nothing is known that is left behind: receiving and storing have just been seen to work
     */
    void collected(DSLContext tx, DeadLetterEntity entity, int count, boolean works) {
        tx.execute(sql.get("entity-collected"), val(entity.path()), val(entity.transfer()), val(count), val(works));
    }

    /** Nothing is left on the broker, so nothing can be wrong. */
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
