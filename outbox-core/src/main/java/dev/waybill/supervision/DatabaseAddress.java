package dev.waybill.supervision;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The address of a database, for log lines. */
public final class DatabaseAddress {
    private static final String PREFIX = "jdbc:postgresql://";

    private DatabaseAddress() {}

    /** Hosts, ports and name of the database; empty if unknown. Omits the URL's parameters, which may contain secrets. */
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
