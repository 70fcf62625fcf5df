package dev.waybill.supervision;

import dev.waybill.schema.SqlError;
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

    /** Admin shutdown, crash shutdown, idle session timeout, connection does not exist, connection failure. */
    private static final Set<String> LOSSES = Set.of("57P01", "57P02", "57P05", "08003", "08006");

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
                .anyMatch(cause ->
                        cause instanceof SQLTransientConnectionException || kind(cause) == SqlError.Kind.CONNECTION);
    }

    /** Whether a database is down or read-only. */
    public static boolean isOutage(Throwable failure) {
        return isConnection(failure)
                || chain(failure).stream().anyMatch(cause -> SqlError.of(cause) == SqlError.READ_ONLY);
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
                .anyMatch(cause ->
                        cause instanceof SQLException && !isOurs(cause) && kind(cause) != SqlError.Kind.CONFIGURATION);
    }

    /** Whether the cause is outside the program: database, broker, network or timeout. A stack trace would not help. */
    public static boolean isOutside(Throwable failure) {
        return chain(failure).stream().anyMatch(RootCause::comesFromOutside)
                && chain(failure).stream().noneMatch(cause -> cause instanceof Error);
    }

    private static boolean comesFromOutside(Throwable cause) {
        if (cause instanceof SQLException) {
            return !isOurs(cause);
        }
        return cause instanceof OutsideFailure
                || cause instanceof IOException
                || cause instanceof TimeoutException
                || cause.getClass().getName().startsWith(BROKER);
    }

    private static boolean isOurs(Throwable cause) {
        SqlError.@Nullable Kind kind = kind(cause);
        return kind != null && kind.isOurs();
    }

    private static SqlError.@Nullable Kind kind(Throwable cause) {
        @Nullable SqlError error = SqlError.of(cause);
        return error == null ? null : error.kind();
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
