package dev.waybill.standalone.console.access;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsoleSettings.Logins;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.Pools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The databases of the console in the order of the configuration. Pools open lazily. */
public final class Databases implements AutoCloseable {
    private final Map<String, Database> databases = new LinkedHashMap<>();
    private final List<HikariDataSource> pools = new ArrayList<>();

    public Databases(Configuration configuration) {
        for (DatabaseSettings settings : configuration.databases()) {
            Logins logins =
                    Objects.requireNonNull(configuration.console().logins().get(settings.name()));
            databases.put(
                    settings.name(),
                    new Database(
                            settings,
                            pool(Pools.forViewers(settings, logins.viewer())),
                            pool(Pools.forOperators(settings, logins.operator()))));
        }
    }

    private HikariDataSource pool(HikariDataSource pool) {
        pools.add(pool);
        return pool;
    }

    Optional<Database> find(String name) {
        return Optional.ofNullable(databases.get(name));
    }

    public List<Database> of(Person person) {
        return databases.values().stream()
                .filter(database -> person.rights().allows(ConsoleRole.VIEWER, database.name()))
                .toList();
    }

    /** Whether a person has a role in every database. */
    public boolean areAllOf(Person person) {
        return of(person).size() == databases.size();
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
    }
}
