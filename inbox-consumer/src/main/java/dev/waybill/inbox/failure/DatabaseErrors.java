package dev.waybill.inbox.failure;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Classifies database errors. No other class names SQLSTATEs that are expected. */
public final class DatabaseErrors {
    /** Connection, resources, operator intervention (PostgreSQL documentation, appendix A). */
    private static final Set<String> DATABASE_DOWN_CLASSES = Set.of("08", "53", "57");

    /** A cancelled statement has exceeded its time limit; the server is well. */
    private static final String QUERY_CANCELED = "57014";

    /** A demoted primary answers but rejects writes. */
    public static final String READ_ONLY = "25006";

    private static final String DENIED = "42501";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Transaction rollback: serialisation failure, deadlock. */
    private static final String ROLLBACK_CLASS = "40";

    /** Lock not available; idle in transaction for too long. */
    private static final Set<String> TRANSIENT_STATES = Set.of(LOCK_NOT_AVAILABLE, "25P03");

    /** Data exceptions of a record's validation or of a parser. */
    private static final Set<String> BAD_DATA_CLASSES = Set.of("22");

    /** Not-null and check violations: the same row is refused again. A missing key may come, and another row may go. */
    private static final Set<String> BROKEN_RULES = Set.of("23502", "23514");

    /** Data exception; program limit exceeded: no column takes the value. */
    private static final Set<String> REFUSED_VALUE_CLASSES = Set.of("22", "54");

    private DatabaseErrors() {}

    public static boolean isTransient(Throwable thrown) {
        return isDatabaseDown(thrown) || any(thrown, DatabaseErrors::isTransientState);
    }

    public static boolean isBadData(Throwable thrown) {
        return any(
                thrown,
                sql -> BAD_DATA_CLASSES.contains(stateClass(sql))
                        || (sql.getSQLState() != null && BROKEN_RULES.contains(sql.getSQLState())));
    }

    /** Whether every other message would fail now, too. */
    public static boolean isDatabaseDown(Throwable thrown) {
        return any(thrown, DatabaseErrors::isUnreachable);
    }

    /** Whether an immediate retry helps, because two transactions collided. */
    public static boolean isCollision(Throwable thrown) {
        return any(thrown, sql -> ROLLBACK_CLASS.equals(stateClass(sql)));
    }

    // A statement timeout below our lock timeout ends the wait for another transaction's lock as a cancellation.
    public static boolean isBusy(Throwable thrown) {
        return isCollision(thrown)
                || any(
                        thrown,
                        sql -> LOCK_NOT_AVAILABLE.equals(sql.getSQLState())
                                || QUERY_CANCELED.equals(sql.getSQLState()));
    }

    /** Whether the database rejects the values themselves, so that every retry fails. */
    public static boolean isRefusedValue(Throwable thrown) {
        return any(thrown, sql -> REFUSED_VALUE_CLASSES.contains(stateClass(sql)));
    }

    public static boolean isDenied(Throwable thrown) {
        return any(thrown, sql -> DENIED.equals(sql.getSQLState()));
    }

    private static boolean isUnreachable(SQLException sql) {
        return sql instanceof SQLNonTransientConnectionException
                || READ_ONLY.equals(sql.getSQLState())
                || (DATABASE_DOWN_CLASSES.contains(stateClass(sql)) && !QUERY_CANCELED.equals(sql.getSQLState()))
                // A pool without a free connection throws this without a SQLSTATE.
                || (sql instanceof SQLTransientException && sql.getSQLState() == null);
    }

    private static boolean isTransientState(SQLException sql) {
        return sql instanceof SQLTransientException
                || ROLLBACK_CLASS.equals(stateClass(sql))
                || (sql.getSQLState() != null && TRANSIENT_STATES.contains(sql.getSQLState()));
    }

    private static String stateClass(SQLException sql) {
        @Nullable String state = sql.getSQLState();
        return state == null || state.length() != 5 ? "" : state.substring(0, 2);
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
