package dev.waybill.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class DriverConnection {
    private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);

    private DriverConnection() {}

    /** The driver's connection, which outlives the wrapper of a pool; null if the pool or driver does not expose it. */
    public static @Nullable Connection behind(Connection connection) {
        try {
            return connection.isWrapperFor(BaseConnection.class) ? connection.unwrap(BaseConnection.class) : null;
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The driver's connection is not reachable: closed, or an older pool or driver", e);
            return null;
        }
    }

    public static boolean isSame(Connection one, Connection other) throws SQLException {
        return one.isWrapperFor(BaseConnection.class)
                && other.isWrapperFor(BaseConnection.class)
                && one.unwrap(BaseConnection.class) == other.unwrap(BaseConnection.class);
    }

    /** Whether a transaction is open, even a failed one; false if the driver is not reachable. */
    public static boolean isInTransaction(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE;
    }

    /**
     * Whether a statement of the open transaction has failed, so that PostgreSQL answers a COMMIT with a rollback, which the driver
     * reports as success; false if the driver cannot be reached.
     */
    public static boolean isInFailedTransaction(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
    }

    /**
     * Asks the server, over a second connection, to cancel the current statement or the commit's wait for a standby. Works
     * after the client has closed the connection, and blocks while the driver opens the second one.
     */
    public static void cancel(Connection driver) throws SQLException {
        if (driver instanceof BaseConnection connection) {
            connection.getQueryExecutor().sendQueryCancel();
        }
    }

    /**
     * Closes a connection at once, from any thread, and removes it from its pool. It aborts the driver's connection itself,
     * because Agroal 2.8 closes only its wrapper: the server session would keep its transaction and locks.
     */
    public static void abort(Connection connection) throws SQLException {
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                connection.unwrap(BaseConnection.class).abort(Runnable::run);
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The driver's connection is not reachable: closed, or an older pool or driver", e);
        } finally {
            connection.abort(Runnable::run);
        }
    }
}
