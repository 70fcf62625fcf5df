package dev.waybill.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's own connection, behind what a pool hands out. */
public final class DriverConnection {
    private static final Logger LOG = LoggerFactory.getLogger(DriverConnection.class);

    private DriverConnection() {}

    /** The driver's connection, which outlasts what a pool hands out; null if it cannot be reached. */
    public static @Nullable Connection behind(Connection connection) {
        try {
            return connection.isWrapperFor(BaseConnection.class) ? connection.unwrap(BaseConnection.class) : null;
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The driver cannot be reached: the connection is closed, or the pool or driver an older one", e);
            return null;
        }
    }

    /** Whether both lead to the same connection of the driver; false if that cannot be told. */
    public static boolean isSame(Connection one, Connection other) throws SQLException {
        return one.isWrapperFor(BaseConnection.class)
                && other.isWrapperFor(BaseConnection.class)
                && one.unwrap(BaseConnection.class) == other.unwrap(BaseConnection.class);
    }

    /** Whether a transaction is open, also one that has failed; false if that cannot be told. */
    public static boolean isInTransaction(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE;
    }

    /**
     * Asks the server, on a connection of its own, to end the statement that the driver's connection is at, or its wait for a
     * standby at a commit. Also of one that is closed on this side: the server's process may be there all the same. A process
     * that is not, or that does nothing, makes nothing of it. Waits as long as the driver waits for such a connection.
     */
    public static void cancel(Connection driver) throws SQLException {
        if (driver instanceof BaseConnection connection) {
            connection.getQueryExecutor().sendQueryCancel();
        }
    }

    /**
     * Ends a connection at once, whatever its thread is doing, and tells its pool. The driver is told first, for not every
     * pool passes it on: Agroal 2.8 closes its own wrapper, and the session goes on with its transaction and its locks. For any
     * thread.
     */
    public static void abort(Connection connection) throws SQLException {
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                connection.unwrap(BaseConnection.class).abort(Runnable::run);
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The driver cannot be reached: the connection is closed, or the pool or driver an older one", e);
        } finally {
            connection.abort(Runnable::run);
        }
    }
}
