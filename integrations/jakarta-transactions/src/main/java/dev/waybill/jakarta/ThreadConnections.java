package dev.waybill.jakarta;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells by an enlisted data source whether a connection is of the thread's transaction: all that ask in one transaction get
 * the same one. Not all data sources keep to that; this one is asked once. Thread-safe.
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

    /** Whether the thread has another transaction now than that of the connection. False if it cannot be told. */
    boolean isOfAnother(Connection connection) throws SQLException {
        return Boolean.TRUE.equals(shared) && !connection.isClosed() && !isOfThread(connection);
    }

    /**
     * Ends the transaction of a connection that is another's than the thread's: nobody resumes it any more, and it would keep
     * its locks. In doubt it is ended as well.
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

    // A pool that has no connection to give does not know the transaction: to one that it knows it gives that one's.
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
