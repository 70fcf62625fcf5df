package dev.waybill.standalone.topology;

import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.Lookup;
import dev.waybill.standalone.servicebus.Written;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody wants deleted, by name.
 *
 * @param path a queue, a topic, {@code topic/Subscriptions/name} or {@code topic/Subscriptions/name/Rules/name}
 */
record Removal(String path) {
    private static final Pattern SUBSCRIPTION =
            Pattern.compile("(?i)(?<topic>.+)/subscriptions/(?<name>[^/]+)(/rules/(?<rule>[^/]+))?");

    /**
     * Refuses what is declared, or forwarded to by what is.
     *
     * @throws IllegalArgumentException if the deletion contradicts the declaration
     */
    void check(Declaration declaration) {
        Matcher of = SUBSCRIPTION.matcher(path);
        boolean declared = of.matches() ? isDeclared(declaration, of) : declaration.has(path);
        if (declared) {
            throw new IllegalArgumentException(
                    "'" + path + "' is declared: take it out of the configuration before it is deleted");
        }
        boolean target = declaration.entities().stream()
                .flatMap(Declaration::targets)
                .anyMatch(name -> Declaration.key(name).equals(Declaration.key(path)));
        if (target) {
            throw new IllegalArgumentException("'" + path + "' is where a declared entity forwards to");
        }
    }

    private static boolean isDeclared(Declaration declaration, Matcher of) {
        @Nullable String rule = of.group("rule");
        return declaration.entity(of.group("topic")).stream()
                .flatMap(topic -> topic.subscriptions().entrySet().stream())
                .filter(subscription ->
                        Declaration.key(subscription.getKey()).equals(Declaration.key(of.group("name"))))
                .anyMatch(subscription ->
                        rule == null || subscription.getValue().rules().containsKey(rule));
    }

    /** How many messages go with it; empty if it is not there. */
    Optional<Long> messages(Entities entities) {
        Matcher of = SUBSCRIPTION.matcher(path);
        if (!of.matches()) {
            return count(entities, entities.queue(path))
                    .or(() -> entities.topic(path).facts().map(topic -> ofTopic(entities, topic)));
        }
        Lookup subscription = subscription(entities, of);
        @Nullable String rule = of.group("rule");
        return rule == null
                ? count(entities, subscription)
                : subscription
                        .facts()
                        .filter(facts -> facts.rules().containsKey(rule))
                        .map(facts -> 0L);
    }

    private static Lookup subscription(Entities entities, Matcher of) {
        entities.forget(Comparison.path(of.group("topic"), of.group("name")));
        return entities.subscription(of.group("topic"), of.group("name"));
    }

    private Optional<Long> count(Entities entities, Lookup lookup) {
        entities.forget(path);
        return lookup.facts().map(facts -> facts.state().messages().all());
    }

    private long ofTopic(Entities entities, EntityProperties topic) {
        entities.forget(path);
        return topic.state().messages().all()
                + entities.subscriptions(path).stream()
                        .flatMap(name -> new Removal(Comparison.path(path, name)).messages(entities).stream())
                        .mapToLong(Long::longValue)
                        .sum();
    }

    Written delete(Entities entities, EntityWriter writer) {
        Matcher of = SUBSCRIPTION.matcher(path);
        if (!of.matches()) {
            entities.forget(path);
            boolean queue = entities.queue(path).facts().isPresent();
            return queue ? writer.deleteQueue(path) : writer.deleteTopic(path);
        }
        @Nullable String rule = of.group("rule");
        return rule == null
                ? writer.deleteSubscription(of.group("topic"), of.group("name"))
                : writer.deleteRule(of.group("topic"), of.group("name"), rule);
    }
}
