package dev.waybill.deadletter.collect;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.hold.Cause;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import org.jooq.DSLContext;

/** What collectors would report. */
public final class CollectorReports {
    private final EntityTable table;

    public CollectorReports(DSLContext dsl, SchemaName schema) {
        table = new EntityTable(dsl, schema);
    }

    public void alive(DeadLetterEntity entity, Duration atMost) {
        table.alive(entity, atMost);
    }

    public void failed(DeadLetterEntity entity, Cause cause) {
        table.failed(entity, cause);
    }
}
