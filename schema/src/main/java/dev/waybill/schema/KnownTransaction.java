package dev.waybill.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Transaction state that the driver knows from the server's replies, without a round trip. */
public final class KnownTransaction {
    private KnownTransaction() {}

    /** Whether a transaction is open, not failed, and has this value of a reported parameter; false if unknown. */
    public static boolean isSoundWith(Connection connection, String parameter, String value) {
        try {
            if (!connection.isWrapperFor(BaseConnection.class)) {
                return false;
            }
            BaseConnection driver = connection.unwrap(BaseConnection.class);
            return driver.getTransactionState() == TransactionState.OPEN
                    && value.equals(driver.getParameterStatus(parameter));
        } catch (SQLException | RuntimeException | LinkageError e) {
            // Older pools and drivers lack these methods.
            return false;
        }
    }
}
