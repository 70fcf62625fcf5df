package dev.waybill.standalone.database;

import dev.waybill.standalone.config.DatabaseSettings;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Says in one line why a database cannot be used. Pools and libraries wrap the reason: "Connection is not available" helps
 * nobody, "password authentication failed" does.
 */
public final class DatabaseFailure {
    /** Deep enough for every library, and an end for causes that go round in a circle. */
    private static final int DEEPEST = 20;

    private DatabaseFailure() {}

    /**
     * Why nothing can be had from a database, with the hosts that were asked.
     *
     * @param failure as it was caught
     */
    public static String text(DatabaseSettings database, Throwable failure) {
        return isConnection(failure)
                ? "The " + database + " at " + hosts(database.connection().url()) + " cannot be reached: "
                        + why(failure)
                : why(failure);
    }

    /** The reason in one line, without what the libraries between have added. */
    public static String why(Throwable failure) {
        List<Throwable> chain = chain(failure);
        Throwable told = chain.stream()
                .filter(cause -> cause instanceof SQLException && isInformative(cause))
                .reduce((first, deeper) -> deeper)
                .orElse(chain.get(0));
        Set<String> parts = new LinkedHashSet<>();
        parts.add(message(told));
        Throwable root = chain.get(chain.size() - 1);
        if (root != told && !message(told).contains(message(root))) {
            parts.add(root instanceof UnknownHostException ? "unknown host " + message(root) : message(root));
        }
        return oneLine(String.join(": ", parts));
    }

    /** Whether no connection could be had, or one was lost. */
    public static boolean isConnection(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException sql
                        && (cause instanceof java.sql.SQLTransientConnectionException || isOfConnections(sql)));
    }

    // Class 08 is "connection exception", 28 a sign-in that was refused, 57P03 "cannot connect now", 53300 "too many".
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
        return !(cause instanceof java.sql.SQLTransientConnectionException)
                && !message(cause).isBlank();
    }

    private static List<Throwable> chain(Throwable failure) {
        var chain = new ArrayList<Throwable>();
        for (@Nullable Throwable cause = failure; cause != null && chain.size() < DEEPEST; cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    private static String message(Throwable cause) {
        @Nullable String message = cause.getMessage();
        return message == null || message.isBlank()
                ? cause.getClass().getSimpleName()
                : message.strip().replaceFirst("\\.$", "");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\.?\\s*\\R\\s*", "; ");
    }

    private static String hosts(String url) {
        @Nullable Properties parsed = Driver.parseURL(url, new Properties());
        if (parsed == null) {
            return "its URL";
        }
        String[] hosts = Optional.ofNullable(PGProperty.PG_HOST.getOrDefault(parsed))
                .orElse("localhost")
                .split(",", -1);
        String[] ports = Optional.ofNullable(PGProperty.PG_PORT.getOrDefault(parsed))
                .orElse("5432")
                .split(",", -1);
        var named = new ArrayList<String>();
        for (int i = 0; i < hosts.length; i++) {
            named.add(hosts[i] + ":" + ports[Math.min(i, ports.length - 1)]);
        }
        return String.join(", ", named);
    }
}
