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

/**
 * Says in one line why something failed. Pools and libraries wrap the reason: "Connection is not available" helps nobody,
 * "password authentication failed" does.
 */
public final class RootCause {
    /** Deep enough for every library, and an end for causes that go round in a circle. */
    private static final int DEEPEST = 20;

    private static final int LONGEST = 400;

    /** Libraries whose wrappers say nothing of their own, or only how often they have tried. */
    private static final List<String> WRAPPERS =
            List.of("reactor.", "java.util.concurrent.CompletionException", "java.util.concurrent.ExecutionException");

    /** So the broker's SDK begins when it has tried as often as it may, which is once. */
    private static final String REPEATS = "Retries exhausted";

    /** The part of the SDK's context with namespace and entity; the rest differs from one time to the next. */
    private static final Pattern CONTEXT =
            Pattern.compile("[.,]* errorContext\\[NAMESPACE: (.*?)\\. ERROR CONTEXT: .*?]");

    /** So the SDK's library says that time is up; the operator it names is one of its own. */
    private static final Pattern SILENCE = Pattern.compile(
            "Did not observe any item or terminal signal within (\\d+)ms in '.*?'( \\(and no fallback has been configured\\))?");

    /** The broker's SDK, whose types are not known here. */
    private static final String BROKER = "com.azure.";

    /** Classes of errors that only the program can cause: unknown features, wrong data, broken constraints, wrong statements. */
    private static final Set<String> OUR_CLASSES = Set.of("0A", "21", "22", "23", "42");

    /** Of those: no right, no table. Operators cause them. */
    private static final Set<String> NOT_OURS = Set.of("42501", "42P01");

    private static final String READ_ONLY = "25006";

    /** "Admin shutdown", "crash shutdown", "idle session timeout", "connection does not exist", "connection failure". */
    private static final Set<String> LOSSES = Set.of("57P01", "57P02", "57P05", "08003", "08006");

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private RootCause() {}

    /** The reason in one line, without what the libraries between have added and the server's details; at most 400 characters. */
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

    /** Whether no connection to a database could be had, or one was lost. */
    public static boolean isConnection(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && (cause instanceof SQLTransientConnectionException || isOfConnections(sql)));
    }

    /** Whether a database cannot be used by anybody: it is away, or takes no writes. */
    public static boolean isOutage(Throwable failure) {
        return isConnection(failure)
                || chain(failure).stream()
                        .anyMatch(cause -> cause instanceof SQLException sql && READ_ONLY.equals(sql.getSQLState()));
    }

    /** Whether a connection was lost, and not whether there is another one to be had. */
    static boolean isLoss(Throwable failure) {
        return chain(failure).stream()
                        .anyMatch(cause -> cause instanceof SQLException sql && LOSSES.contains(state(sql)))
                && chain(failure).stream().noneMatch(SQLTransientConnectionException.class::isInstance);
    }

    private static String state(SQLException failure) {
        @Nullable String state = failure.getSQLState();
        return state == null ? "" : state;
    }

    /** Whether a database has answered with an error that is not the program's, or has not answered. */
    public static boolean isOfDatabase(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && !isOurs(sql.getSQLState())
                        && !INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState()));
    }

    /**
     * Whether the world outside has failed, and not the program: a database, a broker, a network, a time limit. A stack trace
     * would add nothing.
     */
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

    // Class 08 is "connection exception", 28 a sign-in that was refused, 57P a server that stops or has not started
    // yet, 53300 "too many", 3D000 a database that is not there.
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

    // The message of many an exception of the JDK is only a name, such as that of the class that is missing.
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
