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
 * Makes due what waits for a time. The database's clock decides such things and cannot be moved, so the times in
 * the tables are: nothing else changes, and what reads them is the real thing. Not moved are leases, locks of the
 * database and the times at which rows were written.
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
     * Makes a message due that waits for its time in the outbox.
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
     * Lets so much time pass, as far as messages wait for it: what is scheduled, holds that are tried again,
     * deferrals, the retention of ids and of bodies kept outside their messages, and the broker's times
     * ({@link EmbeddedServiceBus#advance}). Consumers count as having been at work meanwhile.
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

    /** Lets holds that are tried again be tried now. Those that wait for an operator wait on. */
    public void makeHoldsDue() {
        for (String holds : List.of("outbox_hold", "inbox_hold")) {
            dsl.execute("update " + schema.table(holds)
                    + " set due_at = least(due_at, clock_timestamp()) where state = 'retrying'");
        }
    }

    /** Releases all holds, as an operator would. */
    public void releaseHolds() {
        Holds.ofOutbox(dataSource, schema).release(HoldFilter.everything(), TEST);
        InboxHolds.in(dataSource, schema).release(HoldFilter.everything(), TEST);
    }
}
