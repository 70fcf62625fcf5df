package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.tenants.Tenants;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Whether the database can be reached, and what has to be done in it before anything starts. Thread-safe. */
final class Database {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int ANSWER_SECONDS = 5;

    private final DataSource dataSource;
    private final Runnable preparation;
    private final @Nullable Tenants tenants;
    private boolean prepared;
    private volatile @Nullable String trouble;
    private volatile @Nullable String servedUrl;

    /** @param preparation is done once, when the database can be reached for the first time */
    Database(DataSource dataSource, Runnable preparation) {
        this(dataSource, preparation, null);
    }

    private Database(DataSource dataSource, Runnable preparation, @Nullable Tenants tenants) {
        this.dataSource = dataSource;
        this.preparation = preparation;
        this.tenants = tenants;
    }

    static Database of(ConfigurableListableBeanFactory beans, WaybillProperties properties) {
        DataSource dataSource = new Choice(beans, properties).dataSource();
        Set<String> features = Tables.features(beans, properties);
        Function<DataSource, Runnable> preparation =
                each -> Tables.preparation(properties.migrations(), each, properties.schemaName(), features);
        return properties.tenants().isEmpty()
                ? new Database(dataSource, preparation.apply(dataSource))
                : new Database(
                        dataSource,
                        () -> {},
                        Tenants.of(
                                dataSource,
                                properties.tenants(),
                                each -> preparation.apply(each).run()));
    }

    /** Those that have a database each, beneath the data source; null if there is one database. */
    @Nullable Tenants tenants() {
        return tenants;
    }

    /** Prepares the tenants' databases that can be reached; the relay prepares the others later. */
    void prepareTenants() {
        if (tenants != null) {
            tenants.prepare(Database::isAway);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Why it could not be reached the last time, if so. Asks nobody. */
    @Nullable String trouble() {
        return trouble;
    }

    /**
     * Whether it can be reached now, and is prepared.
     *
     * @throws RuntimeException if it refuses this service, or the preparation fails
     */
    synchronized boolean isReady() {
        if (tenants != null) {
            return true;
        }
        try {
            connect();
            if (!prepared) {
                preparation.run();
                prepared = true;
            }
        } catch (SQLException | RuntimeException e) {
            if (isAway(e)) {
                return away(e);
            }
            throw e instanceof RuntimeException unexpected ? unexpected : new IllegalStateException(e);
        }
        trouble = null;
        return true;
    }

    /**
     * Before a relay starts on it.
     *
     * @throws IllegalStateException if the data source leads to several databases
     */
    void serve() {
        try (Connection connection = dataSource.getConnection()) {
            OneDatabase.require(dataSource);
            servedUrl = connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw new DataAccessException("The data source does not say where it leads: " + e.getMessage(), e);
        }
    }

    /** The database that a relay of this process publishes from; null if it runs none. */
    @Nullable String servedUrl() {
        return servedUrl;
    }

    private void connect() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (!connection.isValid(ANSWER_SECONDS)) {
                throw new SQLTransientConnectionException("The database does not answer");
            }
        } catch (IllegalStateException e) {
            throw OneDatabase.explained(dataSource, e);
        }
    }

    private boolean away(Exception why) {
        String now = inALine(why);
        if (trouble == null) {
            LOG.warn("Waybill waits for the database, which cannot be reached: {}", now);
        }
        trouble = now;
        return false;
    }

    /** Whether an exception says that the database could not be reached, which may be over soon. */
    static boolean isAway(Throwable thrown) {
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException
                    || (cause instanceof SQLException sql && isAway(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    // Connections, too many of them, and a server that stops or has not started yet.
    private static boolean isAway(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P0") || state.equals("53300"));
    }

    // The driver names the host, and what is beneath it the reason.
    private static String inALine(Throwable thrown) {
        String said = String.valueOf(thrown.getMessage());
        Throwable root = thrown;
        for (@Nullable Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                said = String.valueOf(cause.getMessage());
            }
            root = cause;
        }
        return root instanceof SQLException ? said : said + " (" + root + ")";
    }
}
