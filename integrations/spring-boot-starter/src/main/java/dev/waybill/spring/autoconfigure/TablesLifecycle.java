package dev.waybill.spring.autoconfigure;

import java.util.List;

/** Prepares the tables where neither relay nor consumer would. */
final class TablesLifecycle extends Services {
    private final List<Service<AutoCloseable>> services;

    TablesLifecycle(WaybillProperties properties, Database database) {
        super(TABLES, true);
        services = properties.migrations() == WaybillProperties.MigrationsMode.OFF
                ? List.of()
                : List.of(new Service<>("tables", database, () -> {
                    database.prepareTenants();
                    return () -> {};
                }));
    }

    @Override
    List<Service<AutoCloseable>> all() {
        return services;
    }
}
