package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/** The outbox that most people write themselves: a table, and a thread that publishes its rows and deletes them. */
final class PlainPoller implements CostSide {
    private static final int BATCH = 100;
    private static final int REST_MILLIS = 10;
    private static final int PATIENCE_SECONDS = 10;

    private static final String CREATE = """
            create table %1$s (
              id bigint generated always as identity primary key,
              destination text not null,
              session_id text,
              message_id text not null,
              subject text,
              content_type text,
              payload bytea not null,
              created_at timestamptz not null default clock_timestamp()
            )
            """;

    private final Business business;
    private final DataSource pool;
    private final String insert;
    private final String select;
    private final String delete;
    private final byte[] payload = Backlog.payload();

    PlainPoller(OutboxSchema schema, Business business) {
        this.business = business;
        pool = schema.pool("poller", 1);
        String table = schema.name().table("plain_outbox");
        insert = "insert into " + table
                + " (destination, session_id, message_id, subject, content_type, payload) values (?, ?, ?, ?, ?, ?)";
        select = "select id, message_id, session_id, subject, content_type, payload from " + table
                + " order by id for update skip locked limit " + BATCH;
        delete = "delete from " + table + " where id = any(?)";
        schema.runScript(CREATE.formatted(table));
    }

    @Override
    public boolean publishes() {
        return true;
    }

    @Override
    public void write(DSLContext tx, int account, String reference) {
        business.minimal(tx, account, reference);
        tx.connection(connection -> {
            try (var statement = connection.prepareStatement(insert)) {
                statement.setString(1, Backlog.DESTINATION);
                statement.setString(2, "account-" + account);
                statement.setString(3, reference);
                statement.setString(4, Backlog.SUBJECT);
                statement.setString(5, Backlog.CONTENT_TYPE);
                statement.setBytes(6, payload);
                statement.executeUpdate();
            }
        });
    }

    @Override
    public Publishing publishing(Consumer<String> published) {
        var stop = new AtomicBoolean();
        var thread = Executors.newSingleThreadExecutor();
        var done = thread.submit(() -> {
            poll(stop, published);
            return null;
        });
        thread.shutdown();
        return () -> {
            stop.set(true);
            try {
                done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("The poller has failed", e);
            }
        };
    }

    private void poll(AtomicBoolean stop, Consumer<String> published) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection();
                var find = connection.prepareStatement(select);
                var finish = connection.prepareStatement(delete)) {
            connection.setAutoCommit(false);
            while (!stop.get()) {
                if (turn(connection, find, finish, published) < BATCH) {
                    TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
                }
            }
        }
    }

    private static int turn(
            Connection connection, PreparedStatement find, PreparedStatement finish, Consumer<String> published)
            throws SQLException {
        var ids = new ArrayList<Long>();
        try (var row = find.executeQuery()) {
            while (row.next()) {
                ids.add(row.getLong(1));
                published.accept(row.getString(2));
            }
        }
        if (!ids.isEmpty()) {
            finish.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
            finish.executeUpdate();
        }
        connection.commit();
        return ids.size();
    }
}
