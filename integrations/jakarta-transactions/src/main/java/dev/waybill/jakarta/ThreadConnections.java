package dev.waybill.jakarta;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out by an enlisted data source whether a connection belongs to the thread's transaction: within one transaction it
 * returns one connection. Not every data source does so; the first use checks this one. Thread-safe.
 */
final class ThreadConnections {
    private final DataSource enlisted;
    private volatile @Nullable Boolean shared;

    ThreadConnections(DataSource enlisted) {
        this.enlisted = enlisted;
    }

    /** The connection of a transaction that this thread has just begun. */
    Connection first() throws SQLException {
        Connection connection = enlisted.getConnection();
        if (shared == null) {
            try {
                shared = isOfThread(connection);
            } catch (Throwable e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }

    /** Whether the thread has another transaction than the connection. False if unknown. */
    boolean isOfAnother(Connection connection) throws SQLException {
        return Boolean.TRUE.equals(shared) && !connection.isClosed() && !isOfThread(connection);
    }

    /**
     * Ends a connection's transaction if the thread has another one, or if that is unknown: it would stay suspended and keep
     * its locks.
     *
     * @param bound whether the thread has a transaction
     */
    void cutIfOfAnother(Connection connection, boolean bound) throws SQLException {
        if (!connection.isClosed()
                && DriverConnection.isInTransaction(connection)
                && !(bound && mayBeOfThread(connection))) {
            DriverConnection.abort(connection);
        }
    }

    // An exhausted pool does not know the transaction; to a known one it gives that one's connection.
    private boolean mayBeOfThread(Connection connection) {
        boolean interrupted = Thread.interrupted();
        try {
            return !Boolean.TRUE.equals(shared) || isOfThread(connection);
        } catch (SQLException | RuntimeException e) {
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isOfThread(Connection connection) throws SQLException {
        try (Connection now = enlisted.getConnection()) {
            return DriverConnection.isSame(now, connection);
        }
    }
}
