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
     * its locks.
     */
    void cutIfOfAnother(Connection connection) throws SQLException {
        if (isOfAnother(connection) && DriverConnection.isInTransaction(connection)) {
            DriverConnection.abort(connection);
        }
    }

    private boolean isOfThread(Connection connection) throws SQLException {
        try (Connection now = enlisted.getConnection()) {
            return DriverConnection.isSame(now, connection);
        }
    }
}
