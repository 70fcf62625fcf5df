package dev.waybill.standalone.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.DatabaseSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Makes connection pools whose sockets have time limits: a server that hangs, or a flow that a firewall has
 * forgotten, ends in an error and not in a wait for ever. A setting in the JDBC URL wins over each of them.
 */
public final class Pools {
    /** How long a caller waits for a connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A person waits for the answer. */
    private static final Duration CONSOLE_PATIENCE = Duration.ofSeconds(4);

    /** Shorter than the patience, so that the caller is told why there is no connection. */
    private static final Duration LOGIN = Duration.ofSeconds(8);

    /** To reach a host, and for its first answer when TLS is asked for; then the next host of the URL is tried. */
    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** A relay notices within its lease of 15 s that nobody answers. It sends no statement that takes so long. */
    private static final Duration READ = Duration.ofSeconds(10);

    /** An idle connection that does not answer by then is replaced. */
    private static final Duration VALIDATION = Duration.ofSeconds(3);

    private Pools() {}

    /** For a relay: opens connections when they are needed, and starts also while the database is away. */
    public static HikariDataSource forRelay(DatabaseSettings database, String instance) {
        HikariConfig config = config(database, database.connection().poolSize(), "waybill-relay " + instance);
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(READ.toSeconds()));
        return new HikariDataSource(config);
    }

    /** For a command that goes on while the database is away: each answer has a limit, as a relay's. */
    public static HikariDataSource forWatching(DatabaseSettings database) {
        HikariConfig config = config(database, 2, "waybill-relay command");
        config.addDataSourceProperty(PGProperty.SOCKET_TIMEOUT.getName(), String.valueOf(READ.toSeconds()));
        return new HikariDataSource(config);
    }

    /** For a command. Its statements may take long, as a migration's do; only the login has a limit. */
    public static HikariDataSource forCommand(DatabaseSettings database) {
        return new HikariDataSource(config(database, 2, "waybill-relay command"));
    }

    /**
     * For a command that needs the database now: refused at once with the reason, where a process that goes on would wait.
     *
     * @throws com.zaxxer.hikari.pool.HikariPool.PoolInitializationException if there is no connection to be had
     */
    public static HikariDataSource connected(DatabaseSettings database) {
        HikariConfig config = config(database, 2, "waybill-relay command");
        config.setInitializationFailTimeout(1);
        return new HikariDataSource(config);
    }

    /** For people who look on in the console: nothing can be changed, whatever the role may do. */
    public static HikariDataSource forViewers(DatabaseSettings database, Login login) {
        HikariConfig config = consoleConfig(database.as(login), 6);
        config.setConnectionInitSql(
                "set session characteristics as transaction read only; set statement_timeout = '8s'");
        return new HikariDataSource(config);
    }

    /** For people who decide something in the console. */
    public static HikariDataSource forOperators(DatabaseSettings database, Login login) {
        HikariConfig config = consoleConfig(database.as(login), 2);
        config.setConnectionInitSql("set statement_timeout = '8s'");
        return new HikariDataSource(config);
    }

    /** For the sessions of the console's people. */
    public static HikariDataSource forSessions(DatabaseSettings database) {
        HikariConfig config = consoleConfig(database, 3);
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
        config.setJdbcUrl(database.connection().url());
        signIn(config, database.connection());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setValidationTimeout(VALIDATION.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setPoolName("waybill-" + database.name());
        config.addDataSourceProperty("ApplicationName", shortened(application));
        config.addDataSourceProperty(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        // They show rows, and with them the beginning of a body.
        config.addDataSourceProperty(PGProperty.LOG_SERVER_ERROR_DETAIL.getName(), "false");
        config.addDataSourceProperty(PGProperty.CONNECT_TIMEOUT.getName(), String.valueOf(CONNECT.toSeconds()));
        config.addDataSourceProperty(PGProperty.SSL_RESPONSE_TIMEOUT.getName(), String.valueOf(CONNECT.toMillis()));
        config.addDataSourceProperty(
                PGProperty.LOGIN_TIMEOUT.getName(),
                String.valueOf(LOGIN.toSeconds() * hosts(database.connection().url())));
        return config;
    }

    // Asked for each connection anew: a password in a file may have been changed.
    private static void signIn(HikariConfig config, DatabaseSettings.Connection connection) {
        Optional<String> user =
                connection.user().or(() -> Optional.ofNullable(inUrl(connection.url(), PGProperty.USER)));
        user.ifPresent(config::setUsername);
        // The driver signs in the user of the operating system where none is named.
        String name = user.orElse(System.getProperty("user.name"));
        connection.password().ifPresent(password -> {
            config.setPassword(password.text());
            config.setCredentialsProvider(() -> Credentials.of(name, password.text()));
        });
    }

    // The driver tries them one after the other within one login.
    private static int hosts(String url) {
        @Nullable String hosts = inUrl(url, PGProperty.PG_HOST);
        return hosts == null ? 1 : (int) hosts.chars().filter(c -> c == ',').count() + 1;
    }

    private static @Nullable String inUrl(String url, PGProperty property) {
        @Nullable Properties parsed = Driver.parseURL(url, new Properties());
        return parsed == null ? null : property.getOrDefault(parsed);
    }

    // PostgreSQL cuts names off here, and warns.
    private static String shortened(String name) {
        return name.length() <= 63 ? name : name.substring(0, 63);
    }
}
