package dev.waybill.proof.database;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An empty database of the user. The cast reaches it through proxies, so {@code sslmode=verify-full} cannot be used. */
public final class GivenServer implements Servers {
    private static final Pattern URL = Pattern.compile("jdbc:postgresql://([^/:,?]+)(?::(\\d+))?(/.*)");
    private static final int PORT = 5432;

    private final String jdbcUrl;
    private final Matcher parts;
    private final String role;

    private GivenServer(String jdbcUrl, Matcher parts, String role) {
        this.jdbcUrl = jdbcUrl;
        this.parts = parts;
        this.role = role;
    }

    /**
     * Creates the tables.
     *
     * @throws IllegalArgumentException if the URL has not one host
     */
    public static GivenServer at(String jdbcUrl) throws SQLException {
        Matcher parts = URL.matcher(jdbcUrl);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "The URL must have the form jdbc:postgresql://HOST:PORT/DATABASE?user=…");
        }
        Tables.create(jdbcUrl);
        try (var connection = DriverManager.getConnection(jdbcUrl)) {
            return new GivenServer(jdbcUrl, parts, connection.getMetaData().getUserName());
        }
    }

    @Override
    public InetSocketAddress address() {
        String port = parts.group(2);
        return new InetSocketAddress(parts.group(1), port == null ? PORT : Integer.parseInt(port));
    }

    @Override
    public String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + parts.group(3);
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl);
    }

    @Override
    public String role() {
        return role;
    }

    /** Leaves everything as it is. */
    @Override
    public void close() {}
}
