package dev.waybill.relay;

import dev.waybill.schema.AutoCommitConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;

/**
 * Connections of the caller's pool as the relay needs them: in auto-commit mode, and with a limit on how long an answer may
 * take unless the caller has set one. A setting that was changed is restored before a connection goes back. Thread-safe.
 */
final class RelayConnections implements ConnectionProvider {
    private final AutoCommitConnections connections;
    private final int answerMillis;
    private final Set<Connection> limited =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** @param longestAnswer after which a connection that says nothing counts as lost */
    RelayConnections(DataSource dataSource, Duration longestAnswer) {
        this.connections = new AutoCommitConnections(dataSource);
        this.answerMillis = Math.toIntExact(longestAnswer.toMillis());
    }

    @Override
    public Connection acquire() {
        Connection connection = connections.acquire();
        try {
            limit(connection);
            return connection;
        } catch (SQLException e) {
            release(connection);
            throw new DataAccessException("A connection takes no limit on its answers: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            release(connection);
            throw e;
        }
    }

    @Override
    public void release(Connection connection) {
        try {
            if (limited.remove(connection) && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        } catch (SQLException e) {
            throw new DataAccessException("A connection could not be given back as it was: " + e.getMessage(), e);
        } finally {
            connections.release(connection);
        }
    }

    private void limit(Connection connection) throws SQLException {
        if (connection.getNetworkTimeout() == 0) {
            connection.setNetworkTimeout(Runnable::run, answerMillis);
            limited.add(connection);
        }
    }
}
