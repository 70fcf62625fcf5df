package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.NamespaceSettings.Tier;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A namespace with everything that belongs to it, in no tool's words but those of Azure's resource model.
 *
 * @param entities each after its parent and after what it forwards to
 * @param identities whoever needs a role; a parameter each
 */
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

    /** Every parameter but those that all templates have. */
    List<Parameter> thresholds() {
        return alerts.stream()
                .flatMap(alert -> alert.criteria().stream())
                .map(Criterion::threshold)
                .filter(threshold -> threshold instanceof Parameter)
                .map(threshold -> (Parameter) threshold)
                .distinct()
                .toList();
    }

    /**
     * The namespace.
     *
     * @param name its name in Azure, if the configuration tells it
     */
    record Space(Optional<String> name, Tier tier) {
        boolean premium() {
            return tier == Tier.PREMIUM;
        }

        /** As Azure writes it. */
        String sku() {
            return tier == Tier.PREMIUM ? "Premium" : tier == Tier.BASIC ? "Basic" : "Standard";
        }
    }

    /** The kinds of entities, with the names of their resource types. */
    enum Kind {
        /** A queue. */
        QUEUE("queues"),
        /** A topic. */
        TOPIC("topics"),
        /** Of a topic. */
        SUBSCRIPTION("subscriptions"),
        /** Of a subscription. */
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
     * @param symbol its name in templates: letters, digits and underscores
     * @param name as Azure Resource Manager has it
     * @param parent null for queues and topics
     * @param properties as Azure Resource Manager calls them; texts, whole numbers, truth values and {@link Parameter}s
     * @param after symbols of what has to be there before it: what it forwards to; for the default rule, the other ones
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

        /** Whether it is made by a file; Azure makes the default rule, and no tool takes that over. */
        boolean isWritten() {
            return kind != Kind.RULE || !name.equals(TemplateBuilder.DEFAULT_RULE);
        }
    }

    /**
     * Somebody with a principal id, given by a parameter.
     *
     * @param parameter the parameter's name
     */
    record Identity(String parameter, String text) {}

    /** A role for somebody on one entity, and on no more than that. */
    record Grant(String symbol, Identity identity, Role role, Entity scope) {}

    /** The roles that are ever given. Owner is none of them. */
    enum Role {
        /** May send. */
        SENDER("Azure Service Bus Data Sender", "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39"),
        /** May receive. */
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

    /**
     * An alert on metrics of the namespace: all criteria at once.
     *
     * @param name follows the namespace's name and a hyphen
     * @param minutes over how long the metric is looked at
     */
    record Alert(String symbol, String name, String text, int minutes, List<Criterion> criteria) {
        Alert {
            criteria = List.copyOf(criteria);
        }
    }

    /**
     * An alert on what the diagnostic setting has written into the Log Analytics workspace.
     *
     * @param name follows the namespace's name and a hyphen
     * @param query in KQL; one number for each point in time
     * @param column of the query that has the number
     * @param minutes over how long the smallest number has to be above 0
     */
    record LogAlert(String symbol, String name, String text, String query, String column, int minutes) {
        /** How often it is looked at, in minutes. */
        static final int EVERY = 5;
    }

    /**
     * A metric beyond a threshold.
     *
     * @param entity the entity, or an asterisk for each
     * @param threshold a whole number, a {@link Parameter} or a {@link Product}
     */
    record Criterion(String metric, String aggregation, boolean above, Object threshold, String entity) {
        String operator() {
            return above ? "GreaterThan" : "LessThanOrEqual";
        }
    }

    /** A whole number that is given when the template is used. */
    record Parameter(String name, String text, int usual) {
        /** The size of queues and topics, which the declaration does not name. */
        static final Parameter MAX_SIZE = new Parameter(
                "maxSizeInMegabytes",
                "How much each queue and topic may hold; give what they have if they exist.",
                1_024);
    }

    /** A parameter, times a number. */
    record Product(Parameter parameter, long factor) {}
}
