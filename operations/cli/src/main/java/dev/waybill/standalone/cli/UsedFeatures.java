package dev.waybill.standalone.cli;

import dev.waybill.migrations.Feature;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

final class UsedFeatures {
    private UsedFeatures() {}

    /** The named features; without names, those that the configuration uses. */
    static Feature[] of(List<String> named, Configuration configuration, DatabaseSettings database) {
        return named.isEmpty()
                ? used(configuration, database).toArray(Feature[]::new)
                : named.stream().map(Feature::named).toArray(Feature[]::new);
    }

    private static Set<Feature> used(Configuration configuration, DatabaseSettings database) {
        var used = EnumSet.of(Feature.OUTBOX);
        if (!configuration.consumers().isEmpty()) {
            used.add(Feature.INBOX);
        }
        if (!database.collect().isEmpty()) {
            used.add(Feature.DEAD_LETTERS);
        }
        if (configuration.destinations(database).stream()
                .anyMatch(destination -> destination.sending().retains())) {
            used.add(Feature.RETENTION);
        }
        if (configuration.console().enabled()) {
            used.add(Feature.CONSOLE);
        }
        return used;
    }
}
