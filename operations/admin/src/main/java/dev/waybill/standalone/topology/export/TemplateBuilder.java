package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the entities of a template. Not thread-safe. */
final class TemplateBuilder {
    static final String DEFAULT_RULE = "$Default";

    private final Declaration declaration;
    private final Symbols symbols;
    private final List<Entity> entities = new ArrayList<>();
    private final Map<String, String> byPath = new LinkedHashMap<>();

    TemplateBuilder(Declaration declaration, Symbols symbols) {
        this.declaration = declaration;
        this.symbols = symbols;
    }

    /** Queues and topics precede subscriptions, which may forward to them. */
    List<Entity> entities() {
        declaration.entities().forEach(this::add);
        for (Entity topic : List.copyOf(entities)) {
            declaration.entities().stream()
                    .filter(entity -> name(entity.place().entity()).equals(topic.name()))
                    .forEach(entity -> entity.subscriptions()
                            .forEach((name, subscription) -> subscription(topic, name, subscription)));
        }
        return List.copyOf(entities);
    }

    /** Azure Resource Manager separates resources by slashes, so paths use another character. */
    static String name(String path) {
        return path.replace('/', '~');
    }

    // Names in a template must be unique, and so must their sources.
    private void requireOneName(String path) {
        for (Entity other : entities) {
            if (other.name().equalsIgnoreCase(name(path))) {
                throw new IllegalArgumentException("'" + path + "' and another entity are both '" + name(path)
                        + "' for Azure Resource Manager, which writes '/' as '~'; name one of them differently");
            }
        }
    }

    private void add(DestinationSettings declared) {
        boolean topic = declared.form().topic();
        String path = declared.place().entity();
        requireOneName(path);
        Map<String, Object> properties = new LinkedHashMap<>();
        if (!topic) {
            properties.put("requiresSession", declared.form().sessions());
        }
        boolean detects = !declared.form().duplicateWindow().isZero();
        properties.put("requiresDuplicateDetection", detects);
        if (detects) {
            properties.put(
                    "duplicateDetectionHistoryTimeWindow",
                    IsoDuration.of(declared.form().duplicateWindow()));
        }
        properties.put("enablePartitioning", declared.form().partitioned());
        properties.put("maxSizeInMegabytes", Parameter.MAX_SIZE);
        long largest = (declared.form().maxMessageSize() + 1_023) / 1_024;
        if (largest > 0 && declaration.namespace().tier().largestMessage() > 1 << 18) {
            properties.put("maxMessageSizeInKilobytes", Math.toIntExact(largest));
        }
        if (!topic) {
            receiving(declared.receiving(), properties);
        }
        String symbol = symbols.of(topic ? "topic" : "queue", path);
        List<String> after = topic ? List.of() : after(declared.receiving());
        entities.add(new Entity(topic ? Kind.TOPIC : Kind.QUEUE, symbol, name(path), null, properties, after));
        byPath.put(path.toLowerCase(Locale.ROOT), symbol);
    }

    private List<String> after(Receiving receiving) {
        return Stream.concat(receiving.forwardTo().stream(), receiving.forwardDeadLettersTo().stream())
                .map(path -> path.toLowerCase(Locale.ROOT))
                .filter(byPath::containsKey)
                .map(byPath::get)
                .distinct()
                .toList();
    }

    private void subscription(Entity topic, String name, Subscription declared) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("requiresSession", declared.sessions());
        receiving(declared.receiving(), properties);
        var subscription = new Entity(
                Kind.SUBSCRIPTION,
                symbols.of("subscription", topic.name(), name),
                name,
                topic,
                properties,
                after(declared.receiving()));
        entities.add(subscription);
        if (!declared.rules().isEmpty()) {
            rules(subscription, declared.rules());
        }
    }

    // Azure creates each subscription with an open default rule that templates cannot delete. The rule is closed last,
    // so that
    // no message is lost.
    private void rules(Entity subscription, Map<String, String> declared) {
        var others = new ArrayList<String>();
        declared.forEach((name, sql) -> {
            if (!name.equals(DEFAULT_RULE)) {
                Entity rule = rule(subscription, name, sql, List.of());
                entities.add(rule);
                others.add(rule.symbol());
            }
        });
        entities.add(rule(subscription, DEFAULT_RULE, declared.getOrDefault(DEFAULT_RULE, Export.CLOSED), others));
    }

    private Entity rule(Entity subscription, String name, String sql, List<String> after) {
        @Nullable Entity topic = subscription.parent();
        String of = topic == null ? "" : topic.name();
        return new Entity(
                Kind.RULE,
                symbols.of("rule", of, subscription.name(), name),
                name,
                subscription,
                Map.of("sqlExpression", sql),
                after);
    }

    private static void receiving(Receiving receiving, Map<String, Object> properties) {
        properties.put("lockDuration", IsoDuration.of(receiving.lockDuration()));
        properties.put("maxDeliveryCount", receiving.maxDeliveryCount());
        properties.put("defaultMessageTimeToLive", IsoDuration.of(receiving.timeToLive()));
        properties.put("deadLetteringOnMessageExpiration", receiving.deadLetterOnExpiry());
        receiving.forwardTo().ifPresent(path -> properties.put("forwardTo", path));
        receiving.forwardDeadLettersTo().ifPresent(path -> properties.put("forwardDeadLetteredMessagesTo", path));
    }
}
