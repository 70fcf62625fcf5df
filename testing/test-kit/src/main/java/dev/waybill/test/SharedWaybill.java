package dev.waybill.test;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database with Waybill's tables for tests that share what is expensive to start, such as the context of a
 * service. It is there before the context and ends after it; {@link #startAnew} stands between two tests.
 * Not for tests that run side by side.
 */
public final class SharedWaybill implements AutoCloseable {
    private final Object owner = new Object();
    private final SchemaName schema;
    private final KitDatabase database;
    private @Nullable TestWaybill waybill;

    private SharedWaybill(SchemaName schema, KitDatabase database) {
        this.schema = schema;
        this.database = database;
    }

    public static SharedWaybill start(SchemaName schema) throws Exception {
        // One template for all databases with these tables.
        Object template = List.of(SharedWaybill.class, schema);
        var shared = new SharedWaybill(schema, KitDatabase.copied(template, schema, dataSource -> {}));
        KitServer.start().users().enter();
        return shared;
    }

    /** With the user in the URL. */
    public String jdbcUrl() {
        return ((HikariDataSource) database.dataSource()).getJdbcUrl();
    }

    /** Waybill for the tests, on the caller's broker and outbox. */
    public synchronized TestWaybill on(EmbeddedServiceBus bus, Outbox outbox) {
        TestWaybill known = waybill;
        if (known == null) {
            known = new TestWaybill(database, schema, bus, outbox);
            waybill = known;
        }
        return known;
    }

    /** Ends what the last test has started, and removes all messages from the tables. */
    public synchronized void startAnew() throws Exception {
        endOfTest();
        KitDatabase.given(owner, database.dataSource(), schema, dataSource -> {}, true)
                .close();
    }

    /** Drops the database. The broker stays the caller's. */
    @Override
    public synchronized void close() {
        try {
            endOfTest();
            database.close();
        } finally {
            KitServer.start().users().leave();
        }
    }

    private void endOfTest() {
        TestWaybill known = waybill;
        try {
            if (known != null) {
                known.endOfTest();
            }
        } catch (Exception e) {
            throw new IllegalStateException("What the test has started did not end: " + e.getMessage(), e);
        }
    }
}
