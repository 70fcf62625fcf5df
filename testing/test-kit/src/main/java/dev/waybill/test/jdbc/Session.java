package dev.waybill.test.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection between its hand-out and its close. Used by one thread at a time. */
public final class Session {
    private final Connection connection;
    private volatile @Nullable Object note;

    Session(Connection connection) {
        this.connection = connection;
    }

    /** The connection behind the watch. */
    public Connection connection() {
        return connection;
    }

    public @Nullable Object note() {
        return note;
    }

    public void note(@Nullable Object news) {
        note = news;
    }

    public boolean isAutoCommit() throws SQLException {
        return connection.getAutoCommit();
    }

    /** Ends the connection as the end of its process does. Never fails. */
    public void cut() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            note = e;
        }
    }

    /** Makes a statement fail on the server, which fails the transaction. */
    public SQLException fail(String sqlState, String text) {
        String raise = "do $waybill$ begin raise exception '" + text.replace("'", "''") + "' using errcode = '"
                + sqlState + "'; end $waybill$";
        try (Statement statement = connection.createStatement()) {
            statement.execute(raise);
        } catch (SQLException e) {
            return e;
        }
        return new SQLException(text, sqlState);
    }
}
