package dev.waybill.standalone.config;

import dev.waybill.message.BrokerNames;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds databases and destinations that are one, as after a copied block. */
final class SharedEntities {
    private final Configuration configuration;
    private final List<String> problems;

    SharedEntities(Configuration configuration, List<String> problems) {
        this.configuration = configuration;
        this.problems = problems;
    }

    void check() {
        var databases = new HashMap<String, String>();
        var collected = new HashMap<String, String>();
        for (DatabaseSettings database : configuration.databases()) {
            String name = database.name();
            @Nullable String twin = databases.putIfAbsent(database.connection().url() + ' ' + database.schema(), name);
            if (twin != null) {
                problems.add("database." + name + " has the url and the schema of database." + twin
                        + "; one of the two is wrong");
            }
            destinations(database);
            for (String entity : database.collect()) {
                @Nullable String other = collected.putIfAbsent(place(database, entity), name);
                if (other != null && !other.equals(name)) {
                    problems.add("database." + name + ".collect and database." + other + ".collect both name " + entity
                            + ": each would have some of its dead letters. Let one database collect them");
                }
            }
        }
    }

    // A session that is appended to by both would have no order.
    private void destinations(DatabaseSettings database) {
        Map<String, String> places = new HashMap<>();
        for (DestinationSettings destination : configuration.destinations(database)) {
            @Nullable String other = places.putIfAbsent(place(database, destination), destination.name());
            if (other != null) {
                problems.add("destination." + destination.name() + " and destination." + other
                        + " are one entity of one namespace, '"
                        + destination.place().entity() + "': give the messages of database." + database.name()
                        + " one destination");
            }
        }
    }

    /** Of a destination, or of destination/subscription. */
    private String place(DatabaseSettings database, String entity) {
        List<DestinationSettings> all = configuration.destinations();
        int slash = entity.lastIndexOf('/');
        boolean queue = slash < 0 || all.stream().anyMatch(each -> each.name().equals(entity));
        String name = queue ? entity : entity.substring(0, slash);
        String place = all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(each -> place(database, each))
                .orElse(name);
        return queue ? place : place + BrokerNames.key(entity.substring(slash));
    }

    private String place(DatabaseSettings database, DestinationSettings destination) {
        NamespaceSettings namespace = configuration.namespace(database, destination);
        return namespace.host().map(host -> host.toLowerCase(Locale.ROOT)).orElse(namespace.name())
                + ' '
                + BrokerNames.key(destination.place().entity());
    }
}
