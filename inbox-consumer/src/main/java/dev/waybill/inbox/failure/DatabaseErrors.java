package dev.waybill.inbox.failure;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The only place that names the database's errors that we expect. */
public final class DatabaseErrors {
    /**
     * Connection, resources, operator intervention. Appendix A of PostgreSQL's documentation lists the classes.
     */
    private static final Set<String> DATABASE_DOWN_CLASSES = Set.of("08", "53", "57");

    /** A statement cancelled for its time-out is the statement's trouble, not the server's. */
    private static final String QUERY_CANCELED = "57014";

    /** A primary that was demoted: it answers, and takes no writes. */
    public static final String READ_ONLY = "25006";

    /** The role lacks a grant. */
    private static final String DENIED = "42501";

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Transaction rollback: serialisation failure, deadlock. */
    private static final String ROLLBACK_CLASS = "40";

    /** Lock not available, idle in transaction for too long. */
    private static final Set<String> TRANSIENT_STATES = Set.of(LOCK_NOT_AVAILABLE, "25P03");

    /** A record's own validation, and what a parser throws at bad text. */
    private static final Set<String> BAD_DATA_CLASSES = Set.of("22");

    /** Values that no column takes: data exception, program limit exceeded. */
    private static final Set<String> REFUSED_VALUE_CLASSES = Set.of("22", "54");

    private DatabaseErrors() {}

    /** Whether a later try may succeed, with the same values. */
    public static boolean isTransient(Throwable thrown) {
        return isDatabaseDown(thrown) || any(thrown, DatabaseErrors::isTransientState);
    }

    /** Whether the database takes what it was given for bad data. */
    public static boolean isBadData(Throwable thrown) {
        return any(thrown, sql -> BAD_DATA_CLASSES.contains(stateClass(sql)));
    }

    /** Whether no other message would fare better just now. */
    public static boolean isDatabaseDown(Throwable thrown) {
        return any(thrown, DatabaseErrors::isUnreachable);
    }

    /** Whether trying again at once is the cure: the transaction stood in another one's way. */
    public static boolean isCollision(Throwable thrown) {
        return any(thrown, sql -> ROLLBACK_CLASS.equals(stateClass(sql)));
    }

    /**
     * Whether another transaction has what this one waited for. A statement time-out that is shorter than ours for
     * locks ends the wait by a cancellation.
     */
    public static boolean isBusy(Throwable thrown) {
        return isCollision(thrown)
                || any(
                        thrown,
                        sql -> LOCK_NOT_AVAILABLE.equals(sql.getSQLState())
                                || QUERY_CANCELED.equals(sql.getSQLState()));
    }

    /** Whether the database refuses the values themselves, so that no other try with them can succeed. */
    public static boolean isRefusedValue(Throwable thrown) {
        return any(thrown, sql -> REFUSED_VALUE_CLASSES.contains(stateClass(sql)));
    }

    /** Whether the consumer's role lacks a grant. */
    public static boolean isDenied(Throwable thrown) {
        return any(thrown, sql -> DENIED.equals(sql.getSQLState()));
    }

    private static boolean isUnreachable(SQLException sql) {
        return sql instanceof SQLNonTransientConnectionException
                || READ_ONLY.equals(sql.getSQLState())
                || (DATABASE_DOWN_CLASSES.contains(stateClass(sql)) && !QUERY_CANCELED.equals(sql.getSQLState()))
                // A pool that has no connection to give says so without a state.
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

    // A cause may lead back to itself; nobody nests deeper than this on purpose.
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
