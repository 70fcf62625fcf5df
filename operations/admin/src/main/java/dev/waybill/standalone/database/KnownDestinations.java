package dev.waybill.standalone.database;

import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Suggestion;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Rejects destinations that neither the configuration nor the outbox knows. */
public final class KnownDestinations {
    private KnownDestinations() {}

    public static void require(String destination, DatabaseSettings settings, DataSource pool) {
        var known = new TreeSet<>(settings.destinations());
        known.addAll(new StatusReader(settings.name(), pool, settings.schema()).destinationNames());
        if (!known.contains(destination)) {
            throw new NoSuchElementException("Neither the configuration nor the outbox of " + settings
                    + " knows a destination '" + destination + "'"
                    + Suggestion.among(List.copyOf(known), destination));
        }
    }
}
