package dev.waybill.standalone.database;

import dev.waybill.schema.SqlError;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.identity.PasswordSource;
import dev.waybill.standalone.identity.PasswordSources;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Connections whose password is made for each. A refused password is made anew once in 30 s, as the server may have another idea of its
 * end.
 * Failures have no cause, because logs and commands tell the innermost one, and only these know the identity. Thread-safe.
 */
final class IdentityConnections implements DataSource {
    /** So begins a failure that never reached the server. */
    static final String NO_PASSWORD = "No password for ";

    /** A role that stays refused must not become a loop of requests, for which an identity's service refuses the process. */
    private static final Duration APART = Duration.ofSeconds(30);

    private static final String CANNOT_CONNECT = "08001";

    private final Driver driver = new Driver();
    private final String url;
    private final Properties properties;
    private final PasswordSource source;
    private final PasswordSource.SignIn signIn;
    private final String names;
    private @Nullable Long renewedAt;

    /** {@code properties}: those of the driver, read for each connection. */
    IdentityConnections(
            DatabaseSettings database, PasswordSource source, PasswordSource.SignIn signIn, Properties properties) {
        this.url = database.connection().url();
        this.properties = properties;
        this.source = source;
        this.signIn = signIn;
        names = "role '" + signIn.role() + "' of " + database + " with the identity " + source.name()
                + signIn.clientId().map(id -> " " + id).orElse("");
    }

    static IdentityConnections of(DatabaseSettings database, String role, Properties properties) {
        DatabaseSettings.Connection connection = database.connection();
        String name = connection.signIn().credential().orElseThrow();
        String host = Objects.requireNonNullElse(Pools.inUrl(connection.url(), PGProperty.PG_HOST), "localhost");
        String option = "database." + database.name() + ".credential";
        PasswordSource source;
        try {
            source = PasswordSources.named(name);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(option + ": " + e.getMessage());
        }
        source.check(option, connection.signIn().clientId());
        return new IdentityConnections(
                database,
                source,
                new PasswordSource.SignIn(host, role, connection.signIn().clientId()),
                properties);
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return connect();
        } catch (SQLException e) {
            if (SqlError.of(e) != SqlError.SIGN_IN || !mayRenew()) {
                throw named(e);
            }
        }
        source.renew(signIn);
        try {
            return connect();
        } catch (SQLException e) {
            throw named(e);
        }
    }

    private synchronized boolean mayRenew() {
        long now = System.nanoTime();
        if (renewedAt != null && now - renewedAt < APART.toNanos()) {
            return false;
        }
        renewedAt = now;
        return true;
    }

    private SQLException named(SQLException e) {
        return SqlError.of(e) == SqlError.SIGN_IN
                ? new SQLException("The server refuses " + names + ": " + e.getMessage(), e.getSQLState())
                : e;
    }

    private Connection connect() throws SQLException {
        var all = new Properties();
        all.putAll(properties);
        all.setProperty(PGProperty.USER.getName(), signIn.role());
        all.setProperty(PGProperty.PASSWORD.getName(), password());
        @Nullable Connection connection = driver.connect(url, all);
        return Objects.requireNonNull(connection, "a URL of PostgreSQL was checked");
    }

    private String password() throws SQLException {
        try {
            return Objects.requireNonNull(source.password(signIn), "the source gave none");
        } catch (RuntimeException | LinkageError e) {
            throw new SQLTransientConnectionException(
                    NO_PASSWORD + names + ": " + DatabaseFailure.why(e), CANNOT_CONNECT);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("The identity makes the password");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("It logs nothing");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("It wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
