package dev.waybill.embedded.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server to talk to: given, in a container, or started from embedded binaries.
 *
 * <p>Closing it stops what {@link #start()} started; a given server is left alone. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    /** System property that names a server to use instead of starting one. */
    public static final String JDBC_URL_PROPERTY = "waybill.jdbc-url";

    /** Environment variable with the same meaning as {@link #JDBC_URL_PROPERTY}, which wins over it. */
    public static final String JDBC_URL_VARIABLE = "WAYBILL_JDBC_URL";

    private final String jdbcUrl;
    private final String origin;
    private final Stop stop;
    private volatile Runnable beforeExit = () -> {};

    private PostgresServer(String jdbcUrl, String origin, Stop stop) {
        this.jdbcUrl = jdbcUrl;
        this.origin = origin;
        this.stop = stop;
    }

    /** The given server if one is named, else a container if Docker answers, else embedded binaries. */
    public static PostgresServer start() {
        return givenUrl()
                .map(PostgresServer::at)
                .or(ContainerPostgres::tryStart)
                .orElseGet(PostgresServer::embedded);
    }

    /** A server that runs elsewhere; user and password belong in the URL's query. */
    public static PostgresServer at(String jdbcUrl) {
        return new PostgresServer(jdbcUrl, "given", () -> {});
    }

    /**
     * Unpacks and starts embedded binaries on a free loopback port. The data directory is temporary and the server runs
     * without {@code fsync}: fast, and gone after a power cut.
     *
     * @throws UncheckedIOException if the binaries do not start
     */
    public static PostgresServer embedded() {
        return embedded(Map.of());
    }

    /**
     * The same with settings of its own.
     *
     * @param settings names and values as in {@code postgresql.conf}; they win over the defaults
     */
    public static PostgresServer embedded(Map<String, String> settings) {
        EmbeddedBinaries.Running running = EmbeddedBinaries.start(settings);
        var server = new PostgresServer(running.jdbcUrl(), "embedded", running::stop);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.beforeExit.run();
            running.stopQuietly();
        }));
        return server;
    }

    static PostgresServer container(String jdbcUrl, Runnable stop) {
        return new PostgresServer(jdbcUrl, "container", stop::run);
    }

    private static Optional<String> givenUrl() {
        @Nullable String property = System.getProperty(JDBC_URL_PROPERTY);
        return Optional.ofNullable(property != null ? property : System.getenv(JDBC_URL_VARIABLE))
                .filter(url -> !url.isBlank());
    }

    /** URL of a role that may create schemas, credentials included. */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** Has the end of the JVM, whose hooks run side by side, stop the server after this. It must not wait for ever. */
    public void beforeExit(Runnable wait) {
        beforeExit = wait;
    }

    /** Where the server comes from: {@code given}, {@code container} or {@code embedded}. */
    public String origin() {
        return origin;
    }

    /**
     * A new connection pool, the caller's to close.
     *
     * @param maximumSize most connections at a time; none is held while idle
     */
    public HikariDataSource newPool(int maximumSize) {
        return pool(jdbcUrl, maximumSize);
    }

    /** A new pool on any URL, with the settings of {@link #newPool(int)}. */
    public static HikariDataSource pool(String jdbcUrl, int maximumSize) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(maximumSize);
        config.setMinimumIdle(0);
        config.setPoolName("waybill-" + maximumSize);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        try {
            stop.stop();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not stop", e);
        }
    }

    @FunctionalInterface
    private interface Stop {
        void stop() throws IOException;
    }
}
