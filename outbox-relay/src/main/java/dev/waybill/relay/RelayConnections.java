package dev.waybill.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Connections of the caller's pool as the relay needs them: in auto-commit whatever the pool's mode, and with a limit on how
 * long an answer may take unless the caller has set one. What was changed is restored before a connection goes back.
 * Thread-safe.
 */
final class RelayConnections implements ConnectionProvider {
    private final DataSource dataSource;
    private final int answerMillis;
    private final Map<Connection, Former> taken = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param longestAnswer after which a connection that says nothing counts as lost */
    RelayConnections(DataSource dataSource, Duration longestAnswer) {
        this.dataSource = dataSource;
        this.answerMillis = Math.toIntExact(longestAnswer.toMillis());
    }

    @Override
    public Connection acquire() {
        try {
            Connection connection = dataSource.getConnection();
            try {
                taken.put(connection, prepare(connection));
                return connection;
            } catch (SQLException | RuntimeException e) {
                close(connection, e);
                throw e;
            }
        } catch (SQLException e) {
            throw new DataAccessException("No connection to the outbox's database: " + e.getMessage(), e);
        }
    }

    @Override
    public void release(Connection connection) {
        @Nullable Former former = taken.remove(connection);
        try (connection) {
            if (former != null && !connection.isClosed()) {
                restore(connection, former);
            }
        } catch (SQLException e) {
            throw new DataAccessException("A connection could not be given back: " + e.getMessage(), e);
        }
    }

    private Former prepare(Connection connection) throws SQLException {
        var former = new Former(connection.getAutoCommit(), connection.getNetworkTimeout());
        if (!former.autoCommit) {
            connection.setAutoCommit(true);
        }
        if (former.networkTimeout == 0) {
            connection.setNetworkTimeout(Runnable::run, answerMillis);
        }
        return former;
    }

    private void restore(Connection connection, Former former) throws SQLException {
        if (former.networkTimeout == 0) {
            connection.setNetworkTimeout(Runnable::run, 0);
        }
        if (!former.autoCommit) {
            connection.setAutoCommit(false);
        }
    }

    private static void close(Connection connection, Exception reason) {
        try {
            connection.close();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    /** How the pool had set a connection. */
    private record Former(boolean autoCommit, int networkTimeout) {}
}
