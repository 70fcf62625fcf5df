package dev.waybill.inbox;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The only place that names the errors we expect. */
final class Failures {
    /** Connection, resources, operator intervention. Appendix A of PostgreSQL's documentation lists the classes. */
    private static final Set<String> DATABASE_DOWN_CLASSES = Set.of("08", "53", "57");

    /** A statement cancelled for its time-out is the statement's trouble, not the server's. */
    private static final String QUERY_CANCELED = "57014";

    /** Transaction rollback: serialisation failure, deadlock. */
    private static final String ROLLBACK_CLASS = "40";

    /** Lock not available, idle in transaction for too long. */
    private static final Set<String> TRANSIENT_STATES = Set.of("55P03", "25P03");

    /** A record's own validation, and what a parser throws at bad text. */
    private static final Set<String> BAD_DATA_CLASSES = Set.of("22");

    private Failures() {}

    static Optional<FailureKind> standard(Throwable thrown) {
        if (isDatabaseDown(thrown) || any(thrown, Failures::isTransient)) {
            return Optional.of(FailureKind.TRANSIENT);
        }
        return any(thrown, sql -> BAD_DATA_CLASSES.contains(stateClass(sql)))
                ? Optional.of(FailureKind.PERMANENT)
                : Optional.empty();
    }

    /** Whether no other message would fare better just now. */
    static boolean isDatabaseDown(Throwable thrown) {
        return any(thrown, Failures::isUnreachable);
    }

    /** Whether trying again at once is the cure: the transaction stood in another one's way. */
    static boolean isCollision(Throwable thrown) {
        return any(thrown, sql -> ROLLBACK_CLASS.equals(stateClass(sql)));
    }

    static String reason(Throwable thrown) {
        return DeadLetterText.reason(thrown.getClass().getName());
    }

    static String description(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return DeadLetterText.description(trace.toString());
    }

    private static boolean isUnreachable(SQLException sql) {
        return sql instanceof SQLNonTransientConnectionException
                || (DATABASE_DOWN_CLASSES.contains(stateClass(sql)) && !QUERY_CANCELED.equals(sql.getSQLState()))
                // A pool that has no connection to give says so without a state.
                || (sql instanceof SQLTransientException && sql.getSQLState() == null);
    }

    private static boolean isTransient(SQLException sql) {
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
