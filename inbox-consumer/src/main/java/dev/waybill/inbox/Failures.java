package dev.waybill.inbox;

import dev.waybill.supervision.ErrorDetails;
import dev.waybill.supervision.Traces;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only place that names the errors we expect. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final Traces TRACES = new Traces();

    /**
     * Connection, resources, operator intervention. Appendix A of PostgreSQL's documentation lists the classes.
     */
    private static final Set<String> DATABASE_DOWN_CLASSES = Set.of("08", "53", "57");

    /** A statement cancelled for its time-out is the statement's trouble, not the server's. */
    private static final String QUERY_CANCELED = "57014";

    /** A primary that was demoted: it answers, and takes no writes. */
    static final String READ_ONLY = "25006";

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

    private Failures() {}

    static Optional<FailureKind> standard(Throwable thrown) {
        if (isDatabaseDown(thrown) || any(thrown, Failures::isTransient)) {
            return Optional.of(FailureKind.TRANSIENT);
        }
        if (thrown instanceof OutsideWorkException) {
            return Optional.of(FailureKind.PERMANENT);
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

    /**
     * Whether another transaction has what this one waited for. A statement time-out that is shorter than ours for
     * locks ends the wait by a cancellation.
     */
    static boolean isBusy(Throwable thrown) {
        return isCollision(thrown)
                || any(
                        thrown,
                        sql -> LOCK_NOT_AVAILABLE.equals(sql.getSQLState())
                                || QUERY_CANCELED.equals(sql.getSQLState()));
    }

    /** Whether the database refuses the values themselves, so that no other try with them can succeed. */
    static boolean isRefusedValue(Throwable thrown) {
        return any(thrown, sql -> REFUSED_VALUE_CLASSES.contains(stateClass(sql)));
    }

    /** Whether the consumer's role lacks a grant. */
    static boolean isDenied(Throwable thrown) {
        return any(thrown, sql -> DENIED.equals(sql.getSQLState()));
    }

    /** The answer of a policy, or of the standard one if it fails itself; UNKNOWN if there is no answer. */
    static FailureKind classified(FailurePolicy policy, Throwable thrown) {
        try {
            return policy.classify(thrown).orElse(FailureKind.UNKNOWN);
        } catch (Throwable e) {
            TRACES.warn(LOG, "The failure policy failed; the standard one is asked instead", e);
            return standard(thrown).orElse(FailureKind.UNKNOWN);
        }
    }

    static String reason(Throwable thrown) {
        return DeadLetterText.reason(thrown.getClass().getName());
    }

    static String description(Throwable thrown) {
        try {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            return DeadLetterText.description(ErrorDetails.without(trace.toString(), thrown));
        } catch (Throwable e) {
            return thrown.getClass().getName() + ", whose description failed with "
                    + e.getClass().getName();
        }
    }

    /** In one line. */
    static String brief(Throwable thrown) {
        String first = description(thrown).lines().findFirst().orElse("");
        return first.isEmpty() ? thrown.getClass().getName() : first;
    }

    private static boolean isUnreachable(SQLException sql) {
        return sql instanceof SQLNonTransientConnectionException
                || READ_ONLY.equals(sql.getSQLState())
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
