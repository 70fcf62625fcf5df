package dev.waybill.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is open on a connection as a data source hands it out. It is the caller's, as with a data source that gives
 * out the connection of the thread's transaction: whatever commits on that connection commits the caller's work, and what is
 * read there has not been committed.
 */
public final class CallersTransaction {
    private static final String ACTIVE_TRANSACTION = "25001";
    private static final String WRITTEN = "select pg_current_xact_id_if_assigned() is not null";

    private CallersTransaction() {}

    /**
     * Lets a connection pass on which no transaction is open.
     *
     * @throws IllegalStateException if one is; also if it has failed
     */
    public static void refuse(Connection connection) throws SQLException {
        if (isOpen(connection)) {
            throw new IllegalStateException(
                    "The data source gave a connection inside an open transaction, which is the caller's and would be"
                            + " committed; give Waybill the pool beneath, whose connections belong to no transaction yet");
        }
    }

    private static boolean isOpen(Connection connection) throws SQLException {
        @Nullable Connection driver = DriverConnection.behind(connection);
        return driver == null
                ? !connection.getAutoCommit() && (keepsItsProperties(connection) || hasWritten(connection))
                : DriverConnection.isInTransaction(driver);
    }

    // A driver that cannot be reached still changes no such property inside a transaction, not even to what it is.
    private static boolean keepsItsProperties(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(connection.isReadOnly());
            return false;
        } catch (SQLException e) {
            if (ACTIVE_TRANSACTION.equals(e.getSQLState())) {
                return true;
            }
            throw e;
        }
    }

    // Where a pool does not even pass that on, the server tells. The question begins a transaction, which ends
    // here. Nothing that was written is lost with one that has written nothing. In one that has failed, the
    // question fails too.
    private static boolean hasWritten(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITTEN);
                ResultSet row = statement.executeQuery()) {
            if (row.next() && row.getBoolean(1)) {
                return true;
            }
        } catch (SQLException e) {
            return true;
        }
        connection.rollback();
        return false;
    }
}
