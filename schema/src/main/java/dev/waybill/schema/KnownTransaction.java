package dev.waybill.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The server's last word about the transaction of a connection, as the driver remembers it: with each answer the
 * server says whether a transaction is open and has not failed, and which of its reported parameters have changed.
 * To ask here costs no round trip.
 */
public final class KnownTransaction {
    private KnownTransaction() {}

    /**
     * Whether a transaction is open, has not failed, and runs with this value of a parameter that the server reports.
     * False if it is not known, as with another driver, or behind a pooler that keeps reports to itself.
     */
    public static boolean isSoundWith(Connection connection, String parameter, String value) {
        try {
            if (!connection.isWrapperFor(BaseConnection.class)) {
                return false;
            }
            BaseConnection driver = connection.unwrap(BaseConnection.class);
            return driver.getTransactionState() == TransactionState.OPEN
                    && value.equals(driver.getParameterStatus(parameter));
        } catch (SQLException | RuntimeException | LinkageError e) {
            // A pool or driver of an older version has no such method.
            return false;
        }
    }
}
