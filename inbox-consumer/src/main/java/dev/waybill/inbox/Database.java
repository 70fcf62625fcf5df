package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Single statements that are transactions of their own, whatever the pool's auto-commit mode is. Thread-safe. */
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
