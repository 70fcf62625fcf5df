package dev.waybill.supervision;

import java.io.IOException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the root cause of a failure, which pools and libraries wrap, as one line. */
public final class RootCause {
    /** A limit for cyclic causes. */
    private static final int DEEPEST = 20;

    private static final int LONGEST = 400;

    /** Libraries whose wrappers add no information, or only the number of attempts. */
    private static final List<String> WRAPPERS =
            List.of("reactor.", "java.util.concurrent.CompletionException", "java.util.concurrent.ExecutionException");

    /** The prefix of the Azure SDK's message after its last attempt, which is the first. */
    private static final String REPEATS = "Retries exhausted";

    /** The Azure SDK's context with namespace and entity; the rest of it varies. */
    private static final Pattern CONTEXT =
            Pattern.compile("[.,]* errorContext\\[NAMESPACE: (.*?)\\. ERROR CONTEXT: .*?]");

    /** Reactor's message for a timeout; it names an internal operator. */
    private static final Pattern SILENCE = Pattern.compile(
            "Did not observe any item or terminal signal within (\\d+)ms in '.*?'( \\(and no fallback has been configured\\))?");

    /** The Azure SDK, which is not on this module's class path. */
    private static final String BROKER = "com.azure.";

    /** SQLSTATE classes of defects: unknown features, wrong data, violated constraints, wrong statements. */
    private static final Set<String> OUR_CLASSES = Set.of("0A", "21", "22", "23", "42");

    /** Of those classes: missing grants and missing tables, which operators cause. */
    private static final Set<String> NOT_OURS = Set.of("42501", "42P01");

    private static final String READ_ONLY = "25006";

    /** Admin shutdown, crash shutdown, idle session timeout, connection does not exist, connection failure. */
    private static final Set<String> LOSSES = Set.of("57P01", "57P02", "57P05", "08003", "08006");

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private RootCause() {}

    /** The root cause without wrappers and server details, in one line of at most 400 characters. */
    public static String of(Throwable failure) {
        List<Throwable> chain = chain(failure);
        Throwable told = chain.stream()
                .filter(cause -> cause instanceof SQLException && isInformative(cause))
                .reduce((first, deeper) -> deeper)
                .orElseGet(() -> firstOfItsOwn(chain));
        Set<String> parts = new LinkedHashSet<>();
        parts.add(message(told));
        Throwable root = chain.get(chain.size() - 1);
        if (root != told && !message(told).contains(message(root))) {
            parts.add(root instanceof UnknownHostException ? "unknown host " + message(root) : message(root));
        }
        return oneLine(String.join(": ", parts));
    }

    /** Whether a connection to a database was lost or not available. */
    public static boolean isConnection(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && (cause instanceof SQLTransientConnectionException || isOfConnections(sql)));
    }

    /** Whether a database is down or read-only. */
    public static boolean isOutage(Throwable failure) {
        return isConnection(failure)
                || chain(failure).stream()
                        .anyMatch(cause -> cause instanceof SQLException sql && READ_ONLY.equals(sql.getSQLState()));
    }

    /** Whether a connection was lost, while another may be available. */
    static boolean isLoss(Throwable failure) {
        return chain(failure).stream()
                        .anyMatch(cause -> cause instanceof SQLException sql && LOSSES.contains(state(sql)))
                && chain(failure).stream().noneMatch(SQLTransientConnectionException.class::isInstance);
    }

    private static String state(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state == null ? "" : state;
    }

    /** Whether a database failed or did not respond, rather than the program. */
    public static boolean isOfDatabase(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && !isOurs(sql.getSQLState())
                        && !INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState()));
    }

    /** Whether the cause is outside the program: database, broker, network or timeout. A stack trace would not help. */
    public static boolean isOutside(Throwable failure) {
        return chain(failure).stream().anyMatch(RootCause::comesFromOutside)
                && chain(failure).stream().noneMatch(cause -> cause instanceof Error);
    }

    private static boolean comesFromOutside(Throwable cause) {
        if (cause instanceof SQLException sql) {
            return !isOurs(sql.getSQLState());
        }
        return cause instanceof OutsideFailure
                || cause instanceof IOException
                || cause instanceof TimeoutException
                || cause.getClass().getName().startsWith(BROKER);
    }

    private static boolean isOurs(@Nullable String state) {
        return state != null
                && state.length() == 5
                && OUR_CLASSES.contains(state.substring(0, 2))
                && !NOT_OURS.contains(state);
    }

    // 08: connection exception; 28: sign-in refused; 57P: server stops or starts; 53300: too many connections; 3D000:
    // no such database.
    private static boolean isOfConnections(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("28")
                        || state.startsWith("57P")
                        || state.equals("53300")
                        || state.equals("3D000"));
    }

    private static boolean isInformative(Throwable cause) {
        return !(cause instanceof SQLTransientConnectionException)
                && !message(cause).isBlank();
    }

    private static Throwable firstOfItsOwn(List<Throwable> chain) {
        return chain.stream().filter(cause -> !isWrapper(cause)).findFirst().orElse(chain.get(0));
    }

    private static boolean isWrapper(Throwable cause) {
        String type = cause.getClass().getName();
        return WRAPPERS.stream().anyMatch(type::startsWith) || message(cause).startsWith(REPEATS);
    }

    private static List<Throwable> chain(Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null && chain.size() < DEEPEST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    // The message of some JDK exceptions is only a name, such as that of a missing class.
    private static String message(Throwable cause) {
        @Nullable String message = ErrorDetails.messageOf(cause);
        String type = cause.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return type;
        }
        String text = SILENCE.matcher(message.strip().replaceFirst("\\.$", "")).replaceFirst("no answer within $1 ms");
        return cause instanceof Error || isBare(cause) ? type + ": " + text : text;
    }

    private static boolean isBare(Throwable cause) {
        return cause instanceof NullPointerException
                || cause instanceof ClassCastException
                || cause instanceof IndexOutOfBoundsException;
    }

    private static String oneLine(String text) {
        String line = CONTEXT.matcher(text.replaceAll("\\.?\\s*\\R\\s*", "; ")).replaceAll(" ($1)");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
