package dev.waybill.peers;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.kafka.connect.source.SourceRecord;

/** Debezium's embedded engine with its outbox event router: inserts into a table are read from the log. */
final class DebeziumSide implements Side {
    private final String jdbcUrl;
    private final CountDownLatch streaming = new CountDownLatch(1);
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

    DebeziumSide(DataSource pool, String jdbcUrl) throws SQLException {
        this.jdbcUrl = jdbcUrl;
        try (Connection connection = pool.getConnection()) {
            connection
                    .createStatement()
                    .execute("create table outboxevent (id uuid primary key default gen_random_uuid(), aggregatetype text not null,"
                            + " aggregateid text not null, type text not null, payload bytea not null)");
        }
    }

    @Override
    public String name() {
        return "debezium";
    }

    // The row is deleted again at once, as Debezium's page advises: the log has it, and the table stays empty.
    @Override
    public void append(Connection tx, String id, String key, byte[] body) throws SQLException {
        try (var insert = tx.prepareStatement("with row as (insert into outboxevent (aggregatetype, aggregateid, type, payload)"
                        + " values ('orders', ?, ?, ?) returning id) select id from row");
                var delete = tx.prepareStatement("delete from outboxevent where id = ?")) {
            insert.setString(1, key);
            insert.setString(2, id);
            insert.setBytes(3, body);
            try (var row = insert.executeQuery()) {
                row.next();
                delete.setObject(1, row.getObject(1));
            }
            delete.executeUpdate();
        }
    }

    @Override
    public void start(Consumer<String> published) throws Exception {
        var uri = URI.create(jdbcUrl.substring("jdbc:".length()));
        var user = jdbcUrl.replaceAll(".*[?&]user=([^&]*).*", "$1");
        var settings = new Properties();
        settings.setProperty("name", "peers");
        settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        settings.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        settings.setProperty("offset.flush.interval.ms", "1000");
        settings.setProperty("database.hostname", uri.getHost());
        settings.setProperty("database.port", Integer.toString(uri.getPort()));
        settings.setProperty("database.user", user);
        settings.setProperty("database.password", "none");
        settings.setProperty("database.dbname", uri.getPath().substring(1));
        settings.setProperty("topic.prefix", "peers");
        settings.setProperty("plugin.name", "pgoutput");
        settings.setProperty("publication.autocreate.mode", "filtered");
        settings.setProperty("table.include.list", "public.outboxevent");
        settings.setProperty("snapshot.mode", "no_data");
        settings.setProperty("poll.interval.ms", "5");
        settings.setProperty("tombstones.on.delete", "false");
        settings.setProperty("transforms", "outbox");
        settings.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        settings.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:messageId");
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings)
                .using((DebeziumEngine.ConnectorCallback) new DebeziumEngine.ConnectorCallback() {
                    @Override
                    public void taskStarted() {
                        streaming.countDown();
                    }
                })
                .notifying(change -> {
                    var header = change.record().headers().lastWithName("messageId");
                    if (header != null) {
                        published.accept(String.valueOf(header.value()));
                    }
                })
                .build();
        executor.execute(engine);
        if (!streaming.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Debezium does not stream");
        }
        TimeUnit.SECONDS.sleep(3);
    }

    @Override
    public void close() throws Exception {
        if (executor.isShutdown()) {
            return;
        }
        engine.close();
        executor.shutdown();
        executor.awaitTermination(30, TimeUnit.SECONDS);
    }
}
