package dev.waybill.walletforge.demo.fault;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Keeps relays from settling by locks on the rows that wait, and sees who stands before them. Reads and writers go on. Used by one
 * thread.
 */
final class SettleBlock implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    // A deletion waits even for the weakest lock.
    private static final String TAKE = "select count(*) from (select from %s for key share) as waiting";

    private static final String WAITING = """
            select exists (
              select from pg_stat_activity
              where application_name = ? and pg_backend_pid() = any (pg_blocking_pids(pid)))
            """;
    private static final String TERMINATE =
            "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = ?";
    private static final String PRESENT = "select exists (select from pg_stat_activity where application_name = ?)";

    private final Connection connection;

    private SettleBlock(Connection connection) {
        this.connection = connection;
    }

    /** Locks the rows that wait now; settles under way end first. */
    static SettleBlock take(Target target) throws SQLException {
        var connection = target.dataSource().getConnection();
        var block = new SettleBlock(connection);
        try {
            connection.setAutoCommit(false);
            connection.createStatement().execute(TAKE.formatted(target.schema().table("outbox_message")));
            return block;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Whether a process of this name stands in its settle. */
    boolean holdsBack(String applicationName) throws SQLException {
        return ask(WAITING, applicationName);
    }

    /**
     * Ends the sessions of a process that is dead already. The server does not notice its death while a statement waits,
     * and would settle for it once the lock is given up.
     */
    void terminate(String applicationName) throws Exception {
        Bounded.require("the end of the killed relay's database sessions", PATIENCE, () -> {
            try (PreparedStatement statement = connection.prepareStatement(TERMINATE)) {
                statement.setString(1, applicationName);
                statement.execute();
            }
            return !ask(PRESENT, applicationName);
        });
    }

    private boolean ask(String sql, String applicationName) throws SQLException {
        // The view is frozen per transaction unless it is told to look again.
        try (var clear = connection.createStatement();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            clear.execute("select pg_stat_clear_snapshot()");
            statement.setString(1, applicationName);
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                return answer.getBoolean(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }

    /** The outbox whose settles are blocked. */
    record Target(DataSource dataSource, SchemaName schema) {}
}
