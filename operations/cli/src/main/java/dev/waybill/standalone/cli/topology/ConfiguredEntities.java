package dev.waybill.standalone.cli.topology;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.topology.ActiveEntities;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the active entities from all databases of a configuration. */
final class ConfiguredEntities {
    private ConfiguredEntities() {}

    /** @param warn receives unreachable databases */
    static ActiveEntities of(Configuration configuration, Consumer<String> warn) {
        Map<DatabaseSettings, HikariDataSource> pools = new HashMap<>();
        try {
            return ActiveEntities.of(
                    configuration,
                    database -> pools.computeIfAbsent(database, Pools::connected),
                    (database, failure) -> warn.accept("Whether a migration has moved destinations of " + database
                            + " is unknown: " + DatabaseFailure.why(failure)));
        } finally {
            pools.values().forEach(HikariDataSource::close);
        }
    }
}
