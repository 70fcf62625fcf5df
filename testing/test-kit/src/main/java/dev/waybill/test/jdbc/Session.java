package dev.waybill.test.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection that was handed out, until it is closed. Used by one thread at a time, as connections are. */
public final class Session {
    private final Connection connection;
    private volatile @Nullable Object note;

    Session(Connection connection) {
        this.connection = connection;
    }

    /** The connection itself, past the watch. */
    public Connection connection() {
        return connection;
    }

    /** The watch's notes on it; null before there are any. */
    public @Nullable Object note() {
        return note;
    }

    public void note(@Nullable Object news) {
        note = news;
    }

    /** Whether each statement is committed by itself. */
    public boolean isAutoCommit() throws SQLException {
        return connection.getAutoCommit();
    }

    /** Ends the connection without a word, as the end of its process does. Never fails. */
    public void cut() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            note = e;
        }
    }

    /** Lets a statement fail on the server, so that the transaction is in the state that a failure leaves. */
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
