package dev.waybill.supervision;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where a connection leads to, for a line in the log. */
public final class DatabaseAddress {
    private static final String PREFIX = "jdbc:postgresql://";

    private DatabaseAddress() {}

    /**
     * The hosts, ports and name of the database; empty if the driver does not tell. Parameters of the URL, and the secrets
     * among them, are left out.
     */
    public static String of(Connection connection) {
        try {
            return of(connection.getMetaData().getURL());
        } catch (SQLException e) {
            return "";
        }
    }

    static String of(@Nullable String url) {
        if (url == null || !url.startsWith(PREFIX)) {
            return "";
        }
        String rest = url.substring(PREFIX.length());
        int parameters = rest.indexOf('?');
        return parameters < 0 ? rest : rest.substring(0, parameters);
    }
}
