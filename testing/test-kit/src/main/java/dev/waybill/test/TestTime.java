package dev.waybill.test;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Makes waiting messages due. The database's clock decides and cannot be moved, so this moves the times in the tables. Leases, locks
 * and the times of appends stay.
 */
public final class TestTime {
    private static final AuditContext TEST = new AuditContext("test-kit", "the test says so");

    private final DSLContext dsl;
    private final DataSource dataSource;
    private final SchemaName schema;
    private final EmbeddedServiceBus bus;

    TestTime(DataSource dataSource, SchemaName schema, EmbeddedServiceBus bus) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.bus = bus;
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    /**
     * Makes a scheduled message due.
     *
     * @throws AssertionError if no such message waits
     */
    public void makeDue(String id) {
        int rows = dsl.execute(
                "update " + schema.table("outbox_scheduled")
                        + " set due_at = least(due_at, clock_timestamp()) where message_id = {0}",
                DSL.val(id));
        if (rows == 0) {
            throw new AssertionError(
                    "No message '" + id + "' waits for its time: " + new OutboxTables(dataSource, schema).scheduled());
        }
    }

    /**
     * Lets time pass for scheduled messages, holds with a retry, deferrals, retentions and the broker ({@link
     * EmbeddedServiceBus#advance}). Consumers count as having been running meanwhile.
     */
    public void pass(Duration time) {
        shift("outbox_scheduled", "due_at", time);
        shift("outbox_hold", "due_at", time);
        shift("inbox_hold", "due_at", time);
        shift("inbox_deferral", "deferred_at", time);
        shift("inbox_deferral", "resume_at", time);
        shift("inbox_message", "handled_at", time);
        shift("inbox_consumer", "alive_since", time);
        shift("outbox_claim", "state_since", time);
        bus.advance(time);
    }

    private void shift(String table, String column, Duration time) {
        dsl.execute(
                "update " + schema.table(table) + " set " + column + " = " + column
                        + " - {0} * interval '1 millisecond' where " + column + " is not null",
                DSL.inline(time.toMillis()));
    }

    /** Makes holds with a retry due. Holds that wait for an operator stay. */
    public void makeHoldsDue() {
        for (String holds : List.of("outbox_hold", "inbox_hold")) {
            dsl.execute("update " + schema.table(holds)
                    + " set due_at = least(due_at, clock_timestamp()) where state = 'retrying'");
        }
    }

    public void releaseHolds() {
        Holds.ofOutbox(dataSource, schema).release(HoldFilter.everything(), TEST);
        InboxHolds.in(dataSource, schema).release(HoldFilter.everything(), TEST);
    }
}
