package dev.waybill.standalone.cli.command;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.migrations.Role;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Prerequisites;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.InstalledTables;
import dev.waybill.standalone.database.Pools;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** A verb on one database. */
public abstract class DatabaseCommand extends CliCommand {
    @Option(
            names = {"-d", "--database"},
            paramLabel = "NAME",
            description = "The database, if there are several.")
    private @Nullable String database;

    /** The main table of the feature behind each group. */
    private static final Map<String, String> TABLES = Map.of(
            "dlq", "dead_letter_message",
            "inbox", "inbox_message",
            "outbox", "outbox_message",
            "relay", "outbox_message",
            "replay", "outbox_published",
            "failover", "outbox_published");

    private @Nullable DatabaseSettings asked;

    @Override
    public final Integer call() throws Exception {
        check();
        Configuration configuration = configuration();
        DatabaseSettings settings = configuration.database(Optional.ofNullable(database));
        asked = settings;
        try (HikariDataSource pool = waits() ? Pools.forWatching(settings) : Pools.connected(settings)) {
            if (needsTables() && !waits()) {
                InstalledTables.require(pool, settings.schema());
                requireFeature(pool, settings);
                // Hidden rows would count as missing: "nothing is held", "nothing was erased".
                Prerequisites.requireAllRows(DSL.using(pool, SQLDialect.POSTGRES), settings.schema());
            }
            return runOn(settings, pool);
        }
    }

    private void requireFeature(DataSource pool, DatabaseSettings settings) {
        CommandSpec group = spec();
        while (group.parent() != null && group.parent().parent() != null) {
            group = group.parent();
        }
        String table = TABLES.get(group.name());
        if (table != null) {
            FeatureMissing.require(DSL.using(pool, SQLDialect.POSTGRES), settings.schema(), table);
        }
    }

    private int runOn(DatabaseSettings settings, DataSource pool) throws Exception {
        try {
            return run(settings, pool);
        } catch (DataAccessException e) {
            throw InstalledTables.explained(e, pool, settings.schema());
        }
    }

    /** Rejects invalid arguments before the connection. */
    public void check() {}

    /** Whether the verb requires tables of the current version. */
    protected boolean needsTables() {
        return true;
    }

    /** Whether the verb survives a database outage. */
    protected boolean waits() {
        return false;
    }

    /** The selected database; null before the configuration was read. */
    public final @Nullable DatabaseSettings asked() {
        return asked;
    }

    /** The required role; null for the owner of the tables. */
    public @Nullable Role role() {
        return Role.READONLY;
    }

    protected abstract int run(DatabaseSettings settings, DataSource pool) throws Exception;
}
