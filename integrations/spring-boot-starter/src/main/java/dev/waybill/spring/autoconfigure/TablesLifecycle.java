package dev.waybill.spring.autoconfigure;

import java.util.List;

/** Prepares the tables where neither relay nor consumer would. */
final class TablesLifecycle extends Services {
    private final List<Service<AutoCloseable>> service;

    TablesLifecycle(Database database) {
        super(TABLES, true);
        service = List.of(new Service<>("tables", database, () -> () -> {}));
    }

    @Override
    List<Service<AutoCloseable>> all() {
        return service;
    }
}
