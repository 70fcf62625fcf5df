package dev.waybill.standalone.database;

import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.supervision.RootCause;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Explains a database failure in one line. Pools and libraries wrap the reason: "Connection is not available" hides "password
 * authentication failed".
 */
public final class DatabaseFailure {
    private DatabaseFailure() {}

    public static String text(DatabaseSettings database, Throwable failure) {
        String why = why(failure);
        int unsent = why.indexOf(IdentityConnections.NO_PASSWORD);
        if (unsent >= 0) {
            return why.substring(unsent);
        }
        return isConnection(failure)
                ? "The " + database + " at " + hosts(database.connection().url()) + " cannot be reached: " + why
                : why;
    }

    /** The root cause in one line. */
    public static String why(Throwable failure) {
        return RootCause.of(failure);
    }

    /** Whether a connection failed or was lost. */
    public static boolean isConnection(Throwable failure) {
        return RootCause.isConnection(failure);
    }

    public static String hosts(DatabaseSettings database) {
        return hosts(database.connection().url());
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
