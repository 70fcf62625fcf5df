package dev.waybill.inbox.connect;

import dev.waybill.schema.CallersTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs statements in their own transactions, whatever the pool's auto-commit mode. Thread-safe. */
public final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private final DataSource dataSource;
    private final AnswerLimit limit;

    public Database(DataSource dataSource) {
        this(dataSource, AnswerLimit.NONE);
    }

    public Database(DataSource dataSource, AnswerLimit limit) {
        this.dataSource = dataSource;
        this.limit = limit;
    }

    /** Returns the number of affected rows. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        return run(sql, PreparedStatement::executeUpdate, values);
    }

    public int number(String sql, @Nullable Object... values) throws SQLException {
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

    /** Runs the statement and rolls it back. */
    public int numberUndone(String sql, @Nullable Object... values) throws SQLException {
        try (Connection connection = connect()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                limit.limitIdleness(connection);
                return number(connection, sql, values);
            } finally {
                connection.rollback();
                putBack(connection, autoCommit, false);
            }
        }
    }

    // Rejects a connection that is in its caller's transaction, because statements here commit or roll back.
    private Connection connect() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            CallersTransaction.refuse(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    public static int number(Connection tx, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    /** Runs statements in one transaction and rolls it back. */
    public void undone(Statements statements) throws SQLException {
        try (Connection connection = connect()) {
            boolean limited = limit.set(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                limit.limitIdleness(connection);
                statements.run(connection);
            } finally {
                try {
                    connection.rollback();
                } finally {
                    putBack(connection, autoCommit, limited);
                }
            }
        }
    }

    public void transaction(Statements statements) throws SQLException {
        try (Connection connection = connect()) {
            boolean limited = limit.set(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                limit.limitIdleness(connection);
                statements.run(connection);
                Commit.of(connection);
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            } finally {
                putBack(connection, autoCommit, limited);
            }
        }
    }

    // A failed connection cannot be restored, and an exception here would hide the first failure.
    private static void putBack(Connection connection, boolean autoCommit, boolean limited) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            LOG.debug("A connection's settings could not be restored", e);
        }
        AnswerLimit.lift(connection, limited);
    }

    private static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    public interface Statements {
        void run(Connection tx) throws SQLException;
    }

    /** Runs a statement in the caller's transaction; returns the number of affected rows. */
    public static int update(Connection tx, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
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

    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> T run(String sql, Execution<T> execution, @Nullable Object... values) throws SQLException {
        try (Connection connection = connect()) {
            boolean limited = limit.set(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                return execution.on(statement);
            } finally {
                putBack(connection, autoCommit, limited);
            }
        }
    }

    private interface Execution<T> {
        T on(PreparedStatement statement) throws SQLException;
    }
}
