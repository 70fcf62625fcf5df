package dev.waybill.proof.database;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;

/** The database of a run: a {@link ServerPair} of the harness, or a {@link GivenServer} of the user. */
public interface Servers extends AutoCloseable {
    /** How many banks there are. */
    int BANKS = 499;

    /** What each bank begins with, in cents. */
    long CAPITAL = 1_000_000_000_000L;

    /** Where links of the cast lead to now. */
    InetSocketAddress address();

    /** The URL of the cast's role through a port of this machine. */
    String url(int port);

    /** A connection of the judges and nemeses, the caller's to close. */
    Connection connect() throws SQLException;

    /** The role of the cast. */
    String role();

    /** Runs a statement of a nemesis in auto-commit mode. */
    default void execute(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    void close();
}
