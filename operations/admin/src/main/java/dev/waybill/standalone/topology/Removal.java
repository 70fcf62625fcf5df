package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityLookup;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An entity or rule to delete: a queue, a topic, {@code topic/Subscriptions/name} or {@code
 * topic/Subscriptions/name/Rules/name}.
 */
record Removal(String path) {
    private static final Pattern SUBSCRIPTION =
            Pattern.compile("(?i)(?<topic>.+)/subscriptions/(?<name>[^/]+)(/rules/(?<rule>[^/]+))?");

    /**
     * Rejects declared entities and their forwarding targets.
     *
     * @throws IllegalArgumentException if the deletion contradicts the declaration
     */
    void check(Declaration declaration) {
        Matcher of = SUBSCRIPTION.matcher(path);
        // The namespace resolves other spellings of a declared path.
        DestinationSettings.Place.requirePath("--delete", of.matches() ? of.group("topic") : path);
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
                        rule == null || named(subscription.getValue().rules().keySet(), rule));
    }

    private static boolean named(Set<String> rules, String rule) {
        return rules.stream().anyMatch(name -> Declaration.key(name).equals(Declaration.key(rule)));
    }

    /** Reads the entity and its message count. */
    Found find(Entities entities) {
        Matcher of = SUBSCRIPTION.matcher(path);
        if (of.matches()) {
            entities.forget(Comparison.path(of.group("topic"), of.group("name")));
            EntityLookup subscription = entities.subscription(of.group("topic"), of.group("name"));
            @Nullable String rule = of.group("rule");
            return rule == null ? Found.of(subscription) : Found.ofRule(subscription, rule);
        }
        entities.forget(path);
        if (isQueue(entities)) {
            return Found.of(entities.queue(path));
        }
        Found topic = Found.of(entities.topic(path));
        return topic.messages().isPresent() ? withSubscriptions(topic, entities) : topic;
    }

    // A lookup of the wrong kind fails.
    private boolean isQueue(Entities entities) {
        return entities.inventory().stream()
                .flatMap(all -> all.queues().stream())
                .anyMatch(queue -> Declaration.key(queue).equals(Declaration.key(path)));
    }

    // An unreadable subscription may contain messages.
    private Found withSubscriptions(Found topic, Entities entities) {
        Optional<List<String>> names = entities.subscriptionsOf(path);
        if (names.isEmpty()) {
            return Found.unknown("its subscriptions cannot be listed");
        }
        long all = topic.messages().orElseThrow();
        for (String name : names.get()) {
            Found subscription = new Removal(Comparison.path(path, name)).find(entities);
            if (subscription.unknown().isPresent()) {
                return subscription;
            }
            all += subscription.messages().orElse(0L);
        }
        return new Found(Optional.of(all), Optional.empty());
    }

    WriteResult delete(Entities entities, EntityWriter writer) {
        Matcher of = SUBSCRIPTION.matcher(path);
        if (!of.matches()) {
            return isQueue(entities) ? writer.deleteQueue(path) : writer.deleteTopic(path);
        }
        @Nullable String rule = of.group("rule");
        return rule == null
                ? writer.deleteSubscription(of.group("topic"), of.group("name"))
                : writer.deleteRule(of.group("topic"), of.group("name"), rule);
    }

    /** The messages that the deletion would remove, nothing for a missing entity, or why the entity is unreadable. */
    record Found(Optional<Long> messages, Optional<String> unknown) {
        static Found of(EntityLookup lookup) {
            return new Found(
                    lookup.facts().map(facts -> facts.state().messages().all()), lookup.unknown());
        }

        static Found ofRule(EntityLookup subscription, String rule) {
            return new Found(
                    subscription
                            .facts()
                            .filter(facts -> named(facts.rules().keySet(), rule))
                            .map(facts -> 0L),
                    subscription.unknown());
        }

        static Found unknown(String why) {
            return new Found(Optional.empty(), Optional.of(why));
        }
    }
}
