package dev.waybill.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Detects a data source that returns connections in an open transaction: a commit there would commit the caller's work. */
public final class CallersTransaction {
    private static final String ACTIVE_TRANSACTION = "25001";
    private static final String WRITTEN = "select pg_current_xact_id_if_assigned() is not null";

    private CallersTransaction() {}

    /** Throws an {@link IllegalStateException} if a transaction is open, even a failed one. */
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

    // Without the driver: inside a transaction, drivers reject this change even if the value stays the same.
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

    // Some pools swallow that change, so the server must say. The query begins a transaction, and the rollback loses
    // nothing. In a failed transaction the query fails.
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
