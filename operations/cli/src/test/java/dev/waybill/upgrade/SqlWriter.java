package dev.waybill.upgrade;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Appends by the function in the database, as applications without the library do, until it is stopped. */
final class SqlWriter implements Runnable {
    private static final int SESSIONS = 48;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final DataSource dataSource;
    private final String append;
    private final String record;
    private final String destination;
    private final SplittableRandom random;
    private final String name;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean stopped;
    private int transactions;

    /** @param truth the table of what was committed, with the order within each session */
    SqlWriter(
            DataSource dataSource,
            String schema,
            String destination,
            String truth,
            SplittableRandom random,
            String name) {
        this.dataSource = dataSource;
        this.destination = destination;
        this.random = random;
        this.name = name;
        append = "select " + schema + ".outbox_append(?, ?, ?, ?)";
        record = """
                with next as (
                  insert into %1$s_session (session, n) values (?, 1)
                  on conflict (session) do update set n = %1$s_session.n + 1 returning n)
                insert into %1$s (session, n, id) select ?, n, ? from next
                """.formatted(truth);
    }

    @Override
    public void run() {
        while (!stopped) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    write(connection);
                    connection.commit();
                } finally {
                    connection.rollback();
                }
            } catch (SQLException e) {
                System.out.println(name + " was refused: " + e.getMessage());
                refused.incrementAndGet();
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void write(Connection connection) throws SQLException {
        String session = "s" + random.nextInt(SESSIONS);
        String id = name + "-" + transactions++ + "-" + session;
        try (PreparedStatement statement = connection.prepareStatement(append)) {
            statement.setString(1, destination);
            statement.setString(2, session);
            statement.setString(3, id);
            statement.setBytes(4, new byte[random.nextInt(512)]);
            statement.execute();
        }
        try (PreparedStatement statement = connection.prepareStatement(record)) {
            statement.setString(1, session);
            statement.setString(2, session);
            statement.setString(3, id);
            statement.execute();
        }
    }

    void stop() {
        stopped = true;
    }

    /** How many transactions the database has refused. */
    int refused() {
        return refused.get();
    }
}
