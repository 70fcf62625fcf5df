package dev.waybill.inbox.failure;

import dev.waybill.schema.SqlError;
import dev.waybill.schema.SqlError.Kind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a database error means for a message, by the kinds of {@link SqlError} and JDBC's own types. */
public final class DatabaseErrors {
    /** A demoted primary answers but rejects writes. */
    public static final String READ_ONLY = SqlError.READ_ONLY.state();

    private DatabaseErrors() {}

    public static boolean isTransient(Throwable thrown) {
        return isDatabaseDown(thrown)
                || any(
                        thrown,
                        sql -> sql instanceof SQLTransientException
                                || kind(sql) == Kind.COLLISION
                                || kind(sql) == Kind.BUSY);
    }

    public static boolean isBadData(Throwable thrown) {
        return any(thrown, sql -> kind(sql) == Kind.VALUE);
    }

    /** Whether every other message would fail now, too. */
    public static boolean isDatabaseDown(Throwable thrown) {
        return any(thrown, DatabaseErrors::isUnreachable);
    }

    /** Whether an immediate retry helps, because two transactions collided. */
    public static boolean isCollision(Throwable thrown) {
        return any(thrown, sql -> kind(sql) == Kind.COLLISION);
    }

    // A statement timeout below our lock timeout ends the wait for another transaction's lock as a cancellation.
    public static boolean isBusy(Throwable thrown) {
        return isCollision(thrown)
                || any(thrown, sql -> SqlError.of(sql) == SqlError.LOCK || kind(sql) == Kind.CANCELLED);
    }

    /** Whether the database rejects the values themselves, so that every retry fails. */
    public static boolean isRefusedValue(Throwable thrown) {
        return isBadData(thrown) || any(thrown, sql -> kind(sql) == Kind.LIMIT);
    }

    /** Whether the role lacks a grant, or the schema a table or function. */
    public static boolean isDenied(Throwable thrown) {
        return any(thrown, sql -> kind(sql) == Kind.CONFIGURATION);
    }

    private static boolean isUnreachable(SQLException sql) {
        @Nullable Kind kind = kind(sql);
        return sql instanceof SQLNonTransientConnectionException
                || (kind != null && kind.isAway())
                // A pool without a free connection throws this without a SQLSTATE.
                || (sql instanceof SQLTransientException && sql.getSQLState() == null);
    }

    private static @Nullable Kind kind(SQLException sql) {
        @Nullable SqlError error = SqlError.of(sql);
        return error == null ? null : error.kind();
    }

    // A cause may be cyclic; no real chain is deeper.
    private static boolean any(Throwable thrown, Predicate<SQLException> test) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 20; depth++, cause = cause.getCause()) {
            if (cause instanceof SQLException sql && test.test(sql)) {
                return true;
            }
        }
        return false;
    }
}
