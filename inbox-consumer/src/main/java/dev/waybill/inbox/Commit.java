package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A commit that cannot be mistaken. PostgreSQL answers the commit of a failed transaction by rolling it back, and the driver
 * reports success: a handler that swallows a statement's error would have its message completed without any effect.
 */
final class Commit {
    // In one round trip; in a failed transaction the first of the two raises 25P02.
    static final String SQL = "select 1; commit";

    private Commit() {}

    static void of(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.execute();
        }
    }
}
