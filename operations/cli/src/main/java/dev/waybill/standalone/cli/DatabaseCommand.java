package dev.waybill.standalone.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.migrations.Role;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.InstalledVersion;
import dev.waybill.standalone.database.Pools;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb about one database. */
abstract class DatabaseCommand extends CliCommand {
    @Option(
            names = {"-d", "--database"},
            paramLabel = "NAME",
            description = "The database, if there are several.")
    private @Nullable String database;

    private @Nullable DatabaseSettings asked;

    @Override
    public final Integer call() throws Exception {
        check();
        Configuration configuration = configuration();
        DatabaseSettings settings = configuration.database(Optional.ofNullable(database));
        asked = settings;
        try (HikariDataSource pool = waits() ? Pools.forWatching(settings) : Pools.connected(settings)) {
            if (needsTables() && !waits()) {
                InstalledVersion.require(pool, settings.schema()).ifPresent(output()::warn);
            }
            return runOn(settings, pool);
        }
    }

    private int runOn(DatabaseSettings settings, DataSource pool) throws Exception {
        try {
            return run(settings, pool);
        } catch (DataAccessException e) {
            throw InstalledVersion.explained(e, pool, settings.schema());
        }
    }

    /** Refuses arguments before the database is asked. */
    void check() {}

    /** Whether it needs the tables as this program knows them, which is looked at first. */
    boolean needsTables() {
        return true;
    }

    /** Whether it goes on while the database is away. */
    boolean waits() {
        return false;
    }

    /** The database that was asked; null before the configuration was read. */
    final @Nullable DatabaseSettings asked() {
        return asked;
    }

    /** The role whose grants are enough; null if it takes the owner of the tables. */
    @Nullable Role role() {
        return Role.READONLY;
    }

    abstract int run(DatabaseSettings settings, DataSource pool) throws Exception;
}
