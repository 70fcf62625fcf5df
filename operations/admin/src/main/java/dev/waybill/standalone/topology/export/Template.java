package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.NamespaceSettings.Tier;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A namespace and everything that belongs to it, independent of a tool. Entities are in order of dependency. */
record Template(
        Space space,
        List<Entity> entities,
        List<Identity> identities,
        List<Grant> grants,
        List<Alert> alerts,
        List<LogAlert> logAlerts) {
    Template {
        entities = List.copyOf(entities);
        identities = List.copyOf(identities);
        grants = List.copyOf(grants);
        alerts = List.copyOf(alerts);
        logAlerts = List.copyOf(logAlerts);
    }

    /** The parameters besides those of all templates. */
    List<Parameter> thresholds() {
        return alerts.stream()
                .flatMap(alert -> alert.criteria().stream())
                .map(Criterion::threshold)
                .filter(threshold -> threshold instanceof Parameter)
                .map(threshold -> (Parameter) threshold)
                .distinct()
                .toList();
    }

    /** The namespace; its name is empty if the configuration does not contain it. */
    record Space(Optional<String> name, Tier tier) {
        boolean premium() {
            return tier == Tier.PREMIUM;
        }

        String sku() {
            return tier == Tier.PREMIUM ? "Premium" : tier == Tier.BASIC ? "Basic" : "Standard";
        }
    }

    enum Kind {
        QUEUE("queues"),
        TOPIC("topics"),
        SUBSCRIPTION("subscriptions"),
        RULE("rules");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        String type() {
            return type;
        }
    }

    /**
     * A queue, topic, subscription or rule.
     *
     * @param symbol its name in templates
     * @param parent null for queues and topics
     * @param properties with ARM names; texts, integers, booleans and {@link Parameter}s
     * @param after symbols of entities that must exist first
     */
    record Entity(
            Kind kind,
            String symbol,
            String name,
            @Nullable Entity parent,
            Map<String, Object> properties,
            List<String> after) {
        Entity {
            properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
            after = List.copyOf(after);
        }

        /** Whether a file creates it; Azure creates the default rule, which no tool can import. */
        boolean isWritten() {
            return kind != Kind.RULE || !name.equals(TemplateBuilder.DEFAULT_RULE);
        }
    }

    /** An identity whose principal id is a parameter. */
    record Identity(String parameter, String text) {}

    record Grant(String symbol, Identity identity, Role role, Entity scope) {}

    /** The assigned roles; Owner is never assigned. */
    enum Role {
        SENDER("Azure Service Bus Data Sender", "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39"),
        RECEIVER("Azure Service Bus Data Receiver", "4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0");

        private final String title;
        private final String id;

        Role(String title, String id) {
            this.title = title;
            this.id = id;
        }

        String title() {
            return title;
        }

        String id() {
            return id;
        }
    }

    /** An alert on metrics, named after the namespace; all criteria must match within the window of minutes. */
    record Alert(String symbol, String name, String text, int minutes, List<Criterion> criteria) {
        Alert {
            criteria = List.copyOf(criteria);
        }
    }

    /**
     * An alert on a query of the Log Analytics workspace.
     *
     * @param name appended to the namespace's name
     * @param query in KQL; one number for each time
     * @param minutes how long the smallest number must exceed 0
     */
    record LogAlert(String symbol, String name, String text, String query, String column, int minutes) {
        /** The evaluation interval, in minutes. */
        static final int EVERY = 5;
    }

    /**
     * A metric of one entity, or of each for an asterisk, with a threshold: an integer, a {@link Parameter} or a {@link
     * Product}.
     */
    record Criterion(String metric, String aggregation, boolean above, Object threshold, String entity) {
        String operator() {
            return above ? "GreaterThan" : "LessThanOrEqual";
        }
    }

    /** An integer parameter. */
    record Parameter(String name, String text, int usual) {
        /** The size of queues and topics, which is not declared. */
        static final Parameter MAX_SIZE = new Parameter(
                "maxSizeInMegabytes",
                "How much each queue and topic may hold; give what they have if they exist.",
                1_024);
    }

    record Product(Parameter parameter, long factor) {}
}
