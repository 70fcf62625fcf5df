package dev.waybill.peers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** The poller that most teams write: 100 rows with {@code for update skip locked}, published and deleted in one transaction. */
final class PollerSide implements Side {
    private static final int BATCH = 100;
    private static final int REST_MILLIS = 10;

    private final DataSource pool;
    private volatile boolean stopped;
    private Thread thread;

    PollerSide(DataSource pool) throws SQLException {
        this.pool = pool;
        try (Connection connection = pool.getConnection()) {
            connection
                    .createStatement()
                    .execute("create table poller_outbox (id bigint generated always as identity primary key,"
                            + " message_id text not null, key text not null, body bytea not null)");
        }
    }

    @Override
    public String name() {
        return "poller";
    }

    @Override
    public void append(Connection tx, String id, String key, byte[] body) throws SQLException {
        try (var insert = tx.prepareStatement("insert into poller_outbox (message_id, key, body) values (?, ?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, key);
            insert.setBytes(3, body);
            insert.executeUpdate();
        }
    }

    @Override
    public void start(Consumer<String> published) {
        thread = new Thread(() -> poll(published), "poller");
        thread.start();
    }

    private void poll(Consumer<String> published) {
        try (Connection connection = pool.getConnection();
                var find = connection.prepareStatement("select id, message_id, body from poller_outbox order by id for update skip locked limit "
                        + BATCH);
                var delete = connection.prepareStatement("delete from poller_outbox where id = any(?)")) {
            connection.setAutoCommit(false);
            while (!stopped) {
                var ids = new ArrayList<Long>();
                try (var row = find.executeQuery()) {
                    while (row.next()) {
                        ids.add(row.getLong(1));
                        published.accept(row.getString(2));
                    }
                }
                if (!ids.isEmpty()) {
                    delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
                    delete.executeUpdate();
                }
                connection.commit();
                if (ids.size() < BATCH) {
                    TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
                }
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        if (thread != null) {
            thread.join();
        }
    }
}
