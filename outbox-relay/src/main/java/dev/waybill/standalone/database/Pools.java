package dev.waybill.standalone.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.config.DatabaseSettings;
import java.time.Duration;

/** Makes connection pools. */
public final class Pools {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Pools() {}

    /** For a relay: opens connections when they are needed, and starts also while the database is away. */
    public static HikariDataSource forRelay(DatabaseSettings database, String instance) {
        return pool(database, database.poolSize(), "waybill-relay " + instance);
    }

    /** For a command. */
    public static HikariDataSource forCommand(DatabaseSettings database) {
        return pool(database, 2, "waybill-relay command");
    }

    private static HikariDataSource pool(DatabaseSettings database, int size, String application) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.url());
        database.user().ifPresent(config::setUsername);
        database.password().ifPresent(config::setPassword);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setPoolName("waybill-" + database.name());
        config.addDataSourceProperty("ApplicationName", shortened(application));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        return new HikariDataSource(config);
    }

    // PostgreSQL cuts names off here, and warns.
    private static String shortened(String name) {
        return name.length() <= 63 ? name : name.substring(0, 63);
    }
}
