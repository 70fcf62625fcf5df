package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The checked declaration of one namespace, with distinct entities in forwarding order. */
public record Declaration(NamespaceSettings namespace, List<DestinationSettings> entities) {
    public Declaration {
        entities = List.copyOf(entities);
    }

    /**
     * The declarations of all namespaces.
     *
     * @throws ConfigException if declarations contradict each other or the tier does not support them
     */
    public static List<Declaration> of(Configuration configuration) {
        var problems = new ArrayList<String>();
        List<Declaration> declarations = configuration.namespaces().stream()
                .map(namespace -> {
                    List<DestinationSettings> entities = once(configuration.destinations(namespace), problems);
                    entities.forEach(entity -> tier(namespace, entity, problems));
                    return new Declaration(namespace, ForwardingOrder.of(entities, problems));
                })
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return declarations;
    }

    public boolean has(String path) {
        return entity(path).isPresent();
    }

    Optional<DestinationSettings> entity(String path) {
        return entities.stream().filter(entity -> key(entity).equals(key(path))).findFirst();
    }

    // Destinations of two databases may share an entity; their declarations must be equal.
    private static List<DestinationSettings> once(List<DestinationSettings> destinations, List<String> problems) {
        var byPath = new LinkedHashMap<String, DestinationSettings>();
        for (DestinationSettings destination : destinations) {
            DestinationSettings before = byPath.putIfAbsent(key(destination), destination);
            if (before != null && !isSame(before, destination)) {
                problems.add("destination." + before.name() + " and destination." + destination.name()
                        + " are both the entity '" + destination.place().entity() + "', and declare it differently");
            }
        }
        return List.copyOf(byPath.values());
    }

    private static boolean isSame(DestinationSettings one, DestinationSettings other) {
        return one.form().equals(other.form())
                && one.receiving().equals(other.receiving())
                && one.subscriptions().equals(other.subscriptions());
    }

    private static void tier(NamespaceSettings namespace, DestinationSettings entity, List<String> problems) {
        if (namespace.tier() != Tier.BASIC) {
            return;
        }
        Map<String, Boolean> asked = new LinkedHashMap<>();
        asked.put("topics", entity.form().topic());
        asked.put("sessions", entity.form().sessions());
        asked.put(
                "duplicate detection: give duplicate-window: 0",
                !entity.form().duplicateWindow().isZero());
        asked.put("forwarding", targets(entity).findAny().isPresent());
        asked.forEach((what, is) -> {
            if (is) {
                problems.add("destination." + entity.name() + ": namespace." + namespace.name()
                        + " is of tier basic, which has no " + what);
            }
        });
    }

    /** The forwarding targets of a queue or of a topic's subscriptions. */
    static Stream<String> targets(DestinationSettings entity) {
        Stream<Receiving> all = entity.form().topic()
                ? entity.subscriptions().values().stream().map(subscription -> subscription.receiving())
                : Stream.of(entity.receiving());
        return all.flatMap(
                receiving -> Stream.concat(receiving.forwardTo().stream(), receiving.forwardDeadLettersTo().stream()));
    }

    // Service Bus names are case-insensitive.
    static String key(DestinationSettings entity) {
        return key(entity.place().entity());
    }

    static Map<String, String> byName(Map<String, String> rules) {
        var byName = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(rules);
        return byName;
    }

    static String key(String path) {
        return path.toLowerCase(Locale.ROOT);
    }
}
