package dev.waybill.relay.connect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop's connection. Runs each statement in its own transaction, in one round trip. All settings are local, so a pooler in
 * transaction mode works. Replaces the connection after a failure. Confined to the loop's thread.
 */
public final class LoopConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopConnection.class);

    private final DSLContext pool;
    private final String begin;
    private final boolean kept;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private @Nullable Connection connection;

    /** @param longestAnswer the statement timeout in milliseconds */
    public LoopConnection(DSLContext pool, long longestAnswer) {
        this(pool, longestAnswer, true);
    }

    /** {@code kept}: between statements, too. */
    public LoopConnection(DSLContext pool, long longestAnswer, boolean kept) {
        this.pool = pool;
        this.kept = kept;
        this.begin = BEGIN.formatted(Long.toString(longestAnswer));
    }

    @FunctionalInterface
    public interface Parameters {
        void set(Connection connection, PreparedStatement statement) throws SQLException;
    }

    @FunctionalInterface
    public interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    @FunctionalInterface
    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Runs a statement in its own transaction, which commits asynchronously: a crash of the server may undo it. */
    public <T> T run(String sql, Parameters parameters, Rows<T> rows) {
        return execute(begin + sql + ";\ncommit", parameters, statement -> read(statement, rows));
    }

    /** Runs a statement without settings, in auto-commit. */
    public <T> T runPlain(String sql, Parameters parameters, Rows<T> rows) {
        return execute(sql, parameters, statement -> {
            try (ResultSet set = statement.executeQuery()) {
                return rows.read(set);
            }
        });
    }

    private <T> T execute(String sql, Parameters parameters, Execution<T> execution) {
        try {
            PreparedStatement statement = statement(sql);
            parameters.set(current(), statement);
            return execution.of(statement);
        } catch (SQLException e) {
            recover(e);
            throw new DataAccessException("A statement of the relay failed: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        } finally {
            if (!kept) {
                close();
            }
        }
    }

    private Connection current() {
        Connection open = connection;
        if (open == null) {
            open = pool.configuration().connectionProvider().acquire();
            if (open == null) {
                throw new DataAccessException("The pool returned no connection");
            }
            connection = open;
        }
        return open;
    }

    private PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = current().prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    // The first result with rows belongs to the settings, the second to the statement.
    private static <T> T read(PreparedStatement statement, Rows<T> rows) throws SQLException {
        boolean hasRows = statement.execute();
        int seen = 0;
        while (true) {
            if (hasRows && ++seen == 2) {
                try (ResultSet set = statement.getResultSet()) {
                    T result = rows.read(set);
                    finish(statement);
                    return result;
                }
            }
            if (!hasRows && statement.getUpdateCount() < 0) {
                throw new SQLException("The statement returned no rows");
            }
            hasRows = statement.getMoreResults(Statement.CLOSE_CURRENT_RESULT);
        }
    }

    private static void finish(PreparedStatement statement) throws SQLException {
        while (statement.getMoreResults(Statement.KEEP_CURRENT_RESULT) || statement.getUpdateCount() >= 0) {
            // The commit's result.
        }
    }

    // After an error such as a lock timeout, the transaction is still open.
    private void recover(SQLException failure) {
        Connection open = connection;
        if (open == null) {
            return;
        }
        try (Statement rollback = open.createStatement()) {
            if (open.isClosed()) {
                abandon();
            } else {
                rollback.execute("rollback");
            }
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
            abandon();
        }
    }

    /** Discards the connection; the next statement takes another. */
    public void abandon() {
        Connection open = connection;
        connection = null;
        prepared.clear();
        if (open != null) {
            AbortedConnection.release(open, pool);
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        try {
            for (PreparedStatement statement : prepared.values()) {
                statement.close();
            }
            pool.configuration().connectionProvider().release(open);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be released", e);
            AbortedConnection.release(open, pool);
        } finally {
            prepared.clear();
        }
    }

    // The plan is forced, because statistics mislead for a table that is mostly empty, and planning costs more than
    // execution. Rows hidden by a policy are an error. Without array_nulls, a null arrives as the text NULL. The rest
    // overrides defaults of the database.
    private static final String BEGIN = """
            begin isolation level read committed;
            select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
              set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
              set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
              set_config('plan_cache_mode', 'force_generic_plan', true), set_config('row_security', 'off', true),
              set_config('array_nulls', 'on', true), set_config('lock_timeout', '2s', true),
              set_config('statement_timeout', '%s', true), set_config('synchronous_commit', 'off', true);
            """;
}
