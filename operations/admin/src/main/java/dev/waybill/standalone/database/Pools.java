package dev.waybill.standalone.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DatabaseSettings.SignIn;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Creates connection pools with socket timeouts, so that a dead server ends in an error. A setting in the JDBC URL overrides
 * each timeout.
 */
public final class Pools {
    /** How long a caller waits for a connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A person waits for the page. */
    private static final Duration CONSOLE_PATIENCE = Duration.ofSeconds(4);

    /** Shorter than the pool's timeout, so that the caller gets the reason. */
    private static final Duration LOGIN = Duration.ofSeconds(8);

    /** For each host and its TLS reply; then the driver tries the next host of the URL. */
    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** Shorter than the lease of 15 s, and longer than any statement of a relay. */
    private static final Duration READ = Duration.ofSeconds(10);

    private static final Duration VALIDATION = Duration.ofSeconds(3);

    private static final int COMMAND = 2;
    private static final int VIEWERS = 6;
    private static final int OPERATORS = 2;
    private static final int SESSIONS = 3;

    private Pools() {}

    /** The most connections of so many relays to a database, with their consoles and one command. */
    public static int most(DatabaseSettings database, ConsoleSettings console, int relays) {
        int shown = console.enabled() ? VIEWERS + OPERATORS : 0;
        int signedIn = console.enabled() && console.sessions().database().equals(database.name()) ? SESSIONS : 0;
        return relays * (database.connection().poolSize() + shown + signedIn) + COMMAND;
    }

    /** For a relay: opens connections lazily, so that the relay starts without the database. */
    public static HikariDataSource forRelay(DatabaseSettings database, String instance) {
        HikariConfig config = config(database, database.connection().poolSize(), "waybill-relay " + instance);
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(READ.toSeconds()));
        return new HikariDataSource(config);
    }

    /** For a command that survives a database outage, with the timeouts of a relay. */
    public static HikariDataSource forWatching(DatabaseSettings database) {
        HikariConfig config = config(database, COMMAND, "waybill-relay command");
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(READ.toSeconds()));
        return new HikariDataSource(config);
    }

    /** For a command with long statements: only the login has a timeout. */
    public static HikariDataSource forCommand(DatabaseSettings database) {
        return new HikariDataSource(config(database, COMMAND, "waybill-relay command"));
    }

    /**
     * For a command that needs the database now: fails at once with the reason.
     *
     * @throws com.zaxxer.hikari.pool.HikariPool.PoolInitializationException if no connection succeeds
     */
    public static HikariDataSource connected(DatabaseSettings database) {
        HikariConfig config = config(database, COMMAND, "waybill-relay command");
        config.setInitializationFailTimeout(1);
        return new HikariDataSource(config);
    }

    /** For readers of the console: every transaction is read-only. */
    public static HikariDataSource forViewers(DatabaseSettings database, Login login) {
        HikariConfig config = consoleConfig(database.as(login), VIEWERS);
        config.setConnectionInitSql(
                "set session characteristics as transaction read only; set statement_timeout = '8s'");
        return new HikariDataSource(config);
    }

    public static HikariDataSource forOperators(DatabaseSettings database, Login login) {
        HikariConfig config = consoleConfig(database.as(login), OPERATORS);
        config.setConnectionInitSql("set statement_timeout = '8s'");
        return new HikariDataSource(config);
    }

    public static HikariDataSource forSessions(DatabaseSettings database) {
        HikariConfig config = consoleConfig(database, SESSIONS);
        config.setConnectionInitSql("set statement_timeout = '3s'");
        return new HikariDataSource(config);
    }

    private static HikariConfig consoleConfig(DatabaseSettings database, int size) {
        HikariConfig config = config(database, size, "waybill-relay console");
        config.setConnectionTimeout(CONSOLE_PATIENCE.toMillis());
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(READ.toSeconds()));
        return config;
    }

    private static HikariConfig config(DatabaseSettings database, int size, String application) {
        var config = new HikariConfig();
        signIn(config, database);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setValidationTimeout(VALIDATION.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setPoolName("waybill-" + database.name());
        config.addDataSourceProperty("ApplicationName", shortened(application));
        config.addDataSourceProperty(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        // Error details contain rows, and thus parts of bodies.
        config.addDataSourceProperty(PGProperty.LOG_SERVER_ERROR_DETAIL.getName(), "false");
        config.addDataSourceProperty(PGProperty.CONNECT_TIMEOUT.getName(), String.valueOf(CONNECT.toSeconds()));
        config.addDataSourceProperty(PGProperty.SSL_RESPONSE_TIMEOUT.getName(), String.valueOf(CONNECT.toMillis()));
        config.addDataSourceProperty(
                PGProperty.LOGIN_TIMEOUT.getName(),
                String.valueOf(LOGIN.toSeconds() * hosts(database.connection().url())));
        return config;
    }

    private static void signIn(HikariConfig config, DatabaseSettings database) {
        DatabaseSettings.Connection connection = database.connection();
        SignIn signIn = connection.signIn();
        Optional<String> user = signIn.user().or(() -> Optional.ofNullable(inUrl(connection.url(), PGProperty.USER)));
        if (signIn.credential().isPresent()) {
            config.addDataSourceProperty(PGProperty.SSL_MODE.getName(), "require");
            config.setDataSource(IdentityConnections.of(database, user.orElse(""), config.getDataSourceProperties()));
            return;
        }
        config.setJdbcUrl(connection.url());
        user.ifPresent(config::setUsername);
        // Without a user, the driver takes the user of the operating system.
        String name = user.orElse(System.getProperty("user.name"));
        // Each new connection reads the password, which may have been rotated.
        signIn.password().ifPresent(password -> {
            config.setPassword(password.text());
            config.setCredentialsProvider(() -> Credentials.of(name, password.text()));
        });
    }

    // The driver tries all hosts within one login timeout.
    private static int hosts(String url) {
        @Nullable String hosts = inUrl(url, PGProperty.PG_HOST);
        return hosts == null ? 1 : (int) hosts.chars().filter(c -> c == ',').count() + 1;
    }

    static @Nullable String inUrl(String url, PGProperty property) {
        @Nullable Properties parsed = Driver.parseURL(url, new Properties());
        return parsed == null ? null : property.getOrDefault(parsed);
    }

    // PostgreSQL truncates longer names with a warning.
    private static String shortened(String name) {
        return name.length() <= 63 ? name : name.substring(0, 63);
    }
}
