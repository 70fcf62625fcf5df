package dev.waybill.test;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;

/** The database of one test. */
final class KitDatabase implements AutoCloseable {
    private static final Map<Object, Boolean> PREPARED = new WeakHashMap<>();

    private static final List<String> EMPTIED = List.of(
            "outbox_held_message",
            "outbox_hold",
            "inbox_held_message",
            "inbox_hold",
            "operator_action",
            "outbox_message",
            "outbox_scheduled",
            "outbox_claim",
            "outbox_claim_body",
            "outbox_sample",
            "outbox_destination",
            "inbox_message",
            "inbox_response",
            "inbox_state",
            "inbox_deferral",
            "inbox_resumption",
            "inbox_session",
            "inbox_start",
            "message_event");

    private final DataSource dataSource;
    private final Runnable end;

    private KitDatabase(DataSource dataSource, Runnable end) {
        this.dataSource = dataSource;
        this.end = end;
    }

    static KitDatabase copied(Object owner, SchemaName schema, KitServer.Preparation preparation) throws Exception {
        KitServer server = KitServer.start();
        String name = server.copy(server.template(owner, schema, preparation));
        HikariDataSource pool = server.connect(name);
        return new KitDatabase(pool, () -> {
            pool.close();
            try {
                server.drop(name);
            } catch (SQLException e) {
                throw new IllegalStateException("The test's database could not be dropped", e);
            }
        });
    }

    static void forget(Object owner) throws SQLException {
        KitServer server = KitServer.running();
        if (server != null) {
            server.forget(owner);
        }
    }

    static KitDatabase given(
            Object owner, DataSource dataSource, SchemaName schema, KitServer.Preparation preparation, boolean emptied)
            throws Exception {
        synchronized (PREPARED) {
            if (!PREPARED.containsKey(owner)) {
                Migrations.of(dataSource, schema).apply(Feature.all());
                preparation.prepare(dataSource);
                PREPARED.put(owner, true);
            }
        }
        if (emptied) {
            empty(dataSource, schema);
        }
        return new KitDatabase(dataSource, () -> {});
    }

    private static void empty(DataSource dataSource, SchemaName schema) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            for (String table : EMPTIED) {
                statement.execute("delete from " + schema.table(table));
            }
            connection.commit();
            connection.setAutoCommit(autoCommit);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        end.run();
    }
}
