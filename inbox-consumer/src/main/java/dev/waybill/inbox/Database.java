package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Statements that are transactions of their own, whatever the pool's auto-commit mode is. Thread-safe. */
final class Database {
    private final DataSource dataSource;

    Database(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Runs a statement that returns nothing; returns how many rows it touched. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        return run(sql, PreparedStatement::executeUpdate, values);
    }

    /** Runs a statement that returns one number. */
    int number(String sql, @Nullable Object... values) throws SQLException {
        return run(
                sql,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        rows.next();
                        return rows.getInt(1);
                    }
                },
                values);
    }

    /** The same, and takes it back. */
    int numberUndone(String sql, @Nullable Object... values) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getInt(1);
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** Runs several statements in one transaction. */
    void transaction(Statements statements) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                statements.run(connection);
                Commit.of(connection);
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** What is done in one transaction. */
    interface Statements {
        void run(Connection tx) throws SQLException;
    }

    /** Runs a statement in a transaction of the caller's; returns how many rows it touched. */
    static int update(Connection tx, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** Runs a statement that returns rows. */
    <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        return run(
                sql,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        var list = new ArrayList<T>();
                        while (rows.next()) {
                            list.add(reader.read(rows));
                        }
                        return list;
                    }
                },
                values);
    }

    /** Reads the row at which the result stands. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> T run(String sql, Execution<T> execution, @Nullable Object... values) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                return execution.on(statement);
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private interface Execution<T> {
        T on(PreparedStatement statement) throws SQLException;
    }
}
