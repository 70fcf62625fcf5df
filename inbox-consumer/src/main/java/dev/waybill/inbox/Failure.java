package dev.waybill.inbox;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a thrown exception says about the message: the only place that knows. */
enum Failure {
    /** The database is the trouble, not the message: it must never be dead-lettered for it. */
    DATABASE_UNAVAILABLE,
    /** Trying again may help, and in the end the message is to blame. */
    UNKNOWN;

    // Connection, resources, operator intervention, transaction rollback (serialisation, deadlock), lock not available.
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "53", "57", "40");
    private static final Set<String> TRANSIENT_STATES = Set.of("55P03", "25P03");

    /** Service Bus keeps reason and description among the properties, which share one header limit of 64 KB. */
    private static final int LONGEST_DESCRIPTION = 4096;

    static Failure of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientException || (cause instanceof SQLException sql && isTransient(sql))) {
                return DATABASE_UNAVAILABLE;
            }
        }
        return UNKNOWN;
    }

    static String reason(Throwable thrown) {
        return thrown.getClass().getName();
    }

    static String description(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        String text = trace.toString();
        return text.length() <= LONGEST_DESCRIPTION ? text : text.substring(0, LONGEST_DESCRIPTION);
    }

    private static boolean isTransient(SQLException exception) {
        @Nullable String state = exception.getSQLState();
        return state != null
                && state.length() == 5
                && (TRANSIENT_STATES.contains(state) || TRANSIENT_CLASSES.contains(state.substring(0, 2)));
    }
}
