package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.servicebus.Lookup;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Compares what is declared of a namespace with what it has. Not thread-safe. */
public final class Comparison {
    private static final String DEFAULT_RULE = "$Default";

    private final NamespaceSettings namespace;
    private final Entities entities;
    private final AzureCommands azure;
    private final List<Difference> differences = new ArrayList<>();

    private Comparison(NamespaceSettings namespace, Entities entities) {
        this.namespace = namespace;
        this.entities = entities;
        this.azure = new AzureCommands(entities.address().host());
    }

    /** All differences in all namespaces, in the order of the declarations. */
    public static List<Difference> of(Configuration configuration, Function<NamespaceSettings, Entities> entities) {
        var differences = new ArrayList<Difference>();
        for (NamespaceSettings namespace : configuration.namespaces()) {
            var comparison = new Comparison(namespace, entities.apply(namespace));
            comparison.tier();
            configuration.destinations(namespace).forEach(comparison::compare);
            differences.addAll(comparison.differences);
        }
        return differences;
    }

    // A tier is not changed to suit a declaration: limits are judged by what is declared.
    private void tier() {
        String declared = namespace.tier().name().toLowerCase(Locale.ROOT);
        entities.tier()
                .map(actual -> actual.toLowerCase(Locale.ROOT))
                .filter(actual -> !actual.equals(declared))
                .ifPresent(actual -> add(
                        "(namespace)",
                        "tier",
                        declared,
                        actual,
                        Kind.CHANGE,
                        List.of("set namespace." + namespace.name() + ".tier to " + actual + " in the configuration")));
    }

    private void compare(DestinationSettings declared) {
        String path = declared.place().entity();
        Lookup lookup = declared.form().topic() ? entities.topic(path) : entities.queue(path);
        if (isThere(lookup, path, azure.create(declared, path))) {
            compare(declared, lookup.facts().orElseThrow());
        }
        declared.subscriptions().forEach((name, subscription) -> {
            String of = path + "/Subscriptions/" + name;
            Lookup found = entities.subscription(path, name);
            if (isThere(found, of, azure.create(path, name, subscription))) {
                compare(declared, name, subscription, found.facts().orElseThrow());
            }
        });
    }

    private boolean isThere(Lookup lookup, String path, String create) {
        if (lookup.isMissing()) {
            add(path, "existence", "there", "missing", Kind.MISSING, List.of(create));
        }
        lookup.unknown().ifPresent(why -> add(path, "settings", "", why, Kind.UNKNOWN, List.of()));
        return lookup.facts().isPresent();
    }

    private void compare(DestinationSettings declared, EntityProperties actual) {
        String path = declared.place().entity();
        var recreate = new ArrayList<Difference>();
        if (!declared.form().topic()) {
            fixed(
                    recreate,
                    path,
                    "sessions",
                    declared.form().sessions(),
                    actual.form().sessions());
        }
        fixed(
                recreate,
                path,
                "partitioned",
                declared.form().partitioned(),
                actual.form().partitioned());
        boolean detects = !actual.form().duplicateWindow().isZero();
        fixed(
                recreate,
                path,
                "duplicate detection",
                !declared.form().duplicateWindow().isZero(),
                detects);
        recreate.forEach(difference -> differences.add(withSteps(difference, recreation(declared))));
        if (detects && !declared.form().duplicateWindow().isZero()) {
            change(
                    path,
                    "duplicate-window",
                    declared.form().duplicateWindow(),
                    actual.form().duplicateWindow(),
                    azure.update(declared, AzureCommands.window(declared.form().duplicateWindow())));
        }
        if (!declared.form().topic()) {
            receiving(path, declared.receiving(), actual, option -> azure.update(declared, option));
        }
        change(path, "status", "Active", actual.state().status(), azure.update(declared, "--status Active"));
    }

    private void compare(DestinationSettings topic, String name, Subscription declared, EntityProperties actual) {
        var recreate = new ArrayList<Difference>();
        fixed(
                recreate,
                actual.path(),
                "sessions",
                declared.sessions(),
                actual.form().sessions());
        recreate.forEach(difference ->
                differences.add(withSteps(difference, recreation(topic.place().entity(), name, declared))));
        receiving(
                actual.path(),
                declared.receiving(),
                actual,
                option -> azure.update(topic.place().entity(), name, option));
        rules(topic.place().entity(), name, declared.rules(), actual);
    }

    private void receiving(String path, Receiving declared, EntityProperties actual, UnaryOperator<String> command) {
        change(
                path,
                "lock-duration",
                declared.lockDuration(),
                actual.receiving().lockDuration(),
                command.apply("--lock-duration " + declared.lockDuration()));
        change(
                path,
                "max-delivery-count",
                declared.maxDeliveryCount(),
                actual.receiving().maxDeliveryCount(),
                command.apply("--max-delivery-count " + declared.maxDeliveryCount()));
        change(
                path,
                "time-to-live",
                declared.timeToLive(),
                actual.receiving().timeToLive(),
                command.apply("--default-message-time-to-live " + declared.timeToLive()));
        change(
                path,
                "dead-letter-on-expiry",
                declared.deadLetterOnExpiry(),
                actual.receiving().deadLetterOnExpiry(),
                command.apply("--enable-dead-lettering-on-message-expiration " + declared.deadLetterOnExpiry()));
        forward(path, "forward-to", declared.forwardTo(), actual.receiving().forwardTo(), command, "--forward-to ");
        forward(
                path,
                "forward-dead-letters-to",
                declared.forwardDeadLettersTo(),
                actual.receiving().forwardDeadLettersTo(),
                command,
                "--forward-dead-lettered-messages-to ");
    }

    private void forward(
            String path,
            String setting,
            Optional<String> declared,
            Optional<String> actual,
            UnaryOperator<String> command,
            String option) {
        change(path, setting, declared.orElse(""), actual.orElse(""), command.apply(option + declared.orElse("''")));
    }

    private void rules(String topic, String subscription, Map<String, String> declared, EntityProperties actual) {
        if (declared.isEmpty()) {
            return;
        }
        declared.forEach((rule, sql) -> {
            String has = actual.rules().getOrDefault(rule, "");
            String create = azure.createRule(topic, subscription, rule, sql);
            if (!has.equals(sql)) {
                add(
                        actual.path(),
                        "rule " + rule,
                        sql,
                        has,
                        Kind.CHANGE,
                        has.isEmpty() ? List.of(create) : List.of(azure.deleteRule(topic, subscription, rule), create));
            }
        });
        actual.rules().forEach((rule, sql) -> {
            if (!declared.containsKey(rule)) {
                String why = rule.equals(DEFAULT_RULE) ? sql + ": lets everything in besides the rules" : sql;
                add(
                        actual.path(),
                        "rule " + rule,
                        "",
                        why,
                        Kind.CHANGE,
                        List.of(azure.deleteRule(topic, subscription, rule)));
            }
        });
    }

    private void change(String path, String setting, Object declared, Object actual, String command) {
        if (!declared.equals(actual)) {
            add(path, setting, declared.toString(), actual.toString(), Kind.CHANGE, List.of(command));
        }
    }

    private void fixed(List<Difference> found, String path, String setting, boolean declared, boolean actual) {
        if (declared != actual) {
            found.add(new Difference(
                    namespace.name(),
                    path,
                    new Setting(setting, label(declared), label(actual)),
                    Kind.RECREATE,
                    List.of()));
        }
    }

    private List<String> recreation(DestinationSettings declared) {
        String next = declared.place().entity() + "-2";
        return List.of(
                azure.create(declared, next),
                "waybill-relay relay pause " + declared.name() + " --reason 'moves to " + next + "'",
                "wait until " + declared.place().entity()
                        + " is empty, dead letters and deferred messages included: consumers go on",
                "point the consumers to " + next,
                "set destination." + declared.name() + ".entity to " + next + " for every relay, and restart them",
                "waybill-relay relay resume " + declared.name() + " --reason 'moved to " + next + "'",
                "delete " + declared.place().entity() + " when nothing refers to it any more");
    }

    private List<String> recreation(String topic, String name, Subscription declared) {
        String next = name + "-2";
        return List.of(
                "waybill-relay relay pause " + topic + " --reason 'subscription " + name + " moves to " + next + "'",
                azure.create(topic, next, declared),
                "give " + next + " the rules of " + name + ", and remove its $Default if it has any",
                "wait until " + name + " is empty, dead letters and deferred messages included",
                "point the consumers to " + next,
                "waybill-relay relay resume " + topic + " --reason 'subscription " + name + " moved'",
                "delete the subscription " + name);
    }

    private static Difference withSteps(Difference difference, List<String> steps) {
        return new Difference(
                difference.namespace(), difference.entity(), difference.setting(), difference.kind(), steps);
    }

    private static String label(boolean on) {
        return on ? "on" : "off";
    }

    private void add(String path, String setting, String declared, String actual, Kind kind, List<String> steps) {
        differences.add(new Difference(namespace.name(), path, new Setting(setting, declared, actual), kind, steps));
    }
}
