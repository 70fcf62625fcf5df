package dev.waybill.standalone.topology;

import dev.waybill.message.BrokerNames;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Tier;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.EntityLookup;
import dev.waybill.standalone.servicebus.EntityProperties;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Compares the declaration of a namespace with its entities. Not thread-safe. */
public final class Comparison {
    static final String DEFAULT_RULE = "$Default";
    private static final String EVERYTHING = "1=1";
    /** Exported templates give the default rule this filter, because they cannot delete the rule. */
    private static final String NOTHING = "1=0";

    private static final long KIB = 1L << 10;

    private final NamespaceSettings namespace;
    private final Entities entities;
    private final AzureCommands azure;
    private final CreationSteps steps;
    private final List<Difference> differences = new ArrayList<>();

    Comparison(NamespaceSettings namespace, Entities entities) {
        this.namespace = namespace;
        this.entities = entities;
        this.azure = new AzureCommands(entities.address().host());
        this.steps = new CreationSteps(azure);
    }

    /** The differences of all namespaces, in the order of the declarations. */
    public static List<Difference> of(Configuration configuration, Function<NamespaceSettings, Entities> entities) {
        var differences = new ArrayList<Difference>();
        for (NamespaceSettings namespace : configuration.namespaces()) {
            var comparison = new Comparison(namespace, entities.apply(namespace));
            comparison.differences.addAll(comparison.tier());
            configuration.destinations(namespace).forEach(comparison::compare);
            differences.addAll(comparison.differences);
        }
        return differences;
    }

    /** The tier, if it differs. No command changes a tier. */
    List<Difference> tier() {
        String declared = namespace.tier().name().toLowerCase(Locale.ROOT);
        return entities.tier().map(actual -> actual.toLowerCase(Locale.ROOT)).stream()
                .filter(actual -> !actual.equals(declared))
                .map(actual -> new Difference(
                        namespace.name(),
                        "(namespace)",
                        new Setting("tier", declared, actual),
                        Kind.CHANGE,
                        List.of("set namespace." + namespace.name() + ".tier to " + actual + " in the configuration")))
                .toList();
    }

    private void compare(DestinationSettings declared) {
        differences.addAll(of(declared));
        declared.subscriptions().forEach((name, subscription) -> {
            differences.addAll(of(declared, name, subscription));
        });
    }

    /** The differences of a queue or topic, without subscriptions. */
    List<Difference> of(DestinationSettings declared) {
        String path = declared.place().entity();
        EntityLookup lookup = declared.form().topic() ? entities.topic(path) : entities.queue(path);
        var comparison = new Comparison(namespace, entities);
        if (comparison.isThere(lookup, path, List.of(azure.create(declared, path)))) {
            comparison.compare(declared, lookup.facts().orElseThrow());
        }
        return comparison.differences;
    }

    /** The differences of a subscription with its rules. */
    List<Difference> of(DestinationSettings topic, String name, Subscription subscription) {
        String path = topic.place().entity();
        EntityLookup lookup = entities.subscription(path, name);
        var comparison = new Comparison(namespace, entities);
        if (comparison.isThere(lookup, path(path, name), steps.creation(path, name, subscription))) {
            comparison.compare(topic, name, subscription, lookup.facts().orElseThrow());
        }
        return comparison.differences;
    }

    static String path(String topic, String subscription) {
        return topic + "/Subscriptions/" + subscription;
    }

    private boolean isThere(EntityLookup lookup, String path, List<String> creation) {
        if (lookup.isMissing()) {
            add(path, "existence", "there", "missing", Kind.MISSING, creation);
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
        recreate.forEach(difference -> differences.add(withSteps(difference, steps.recreation(declared))));
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
        size(declared, actual);
        status(path, actual, azure.update(declared, "--status Active"));
    }

    private void size(DestinationSettings declared, EntityProperties actual) {
        long wanted = (declared.form().maxMessageSize() + KIB - 1) / KIB;
        long has = actual.form().maxMessageSize() / KIB;
        if (namespace.tier() == Tier.PREMIUM && wanted > 0 && has > 0) {
            change(
                    actual.path(),
                    "max-message-size",
                    wanted + "KiB",
                    has + "KiB",
                    azure.update(declared, "--max-message-size " + wanted));
        }
    }

    private void status(String path, EntityProperties actual, String command) {
        String status = actual.state().status();
        if (!status.equals("Active")) {
            add(path, "status", "Active", status, Kind.UNDECLARED, List.of(command));
        }
    }

    private void compare(DestinationSettings topic, String name, Subscription declared, EntityProperties actual) {
        var recreate = new ArrayList<Difference>();
        fixed(
                recreate,
                actual.path(),
                "sessions",
                declared.sessions(),
                actual.form().sessions());
        recreate.forEach(difference -> differences.add(withSteps(difference, steps.recreation(topic, name, declared))));
        receiving(
                actual.path(),
                declared.receiving(),
                actual,
                option -> azure.update(topic.place().entity(), name, option));
        status(actual.path(), actual, azure.update(topic.place().entity(), name, "--status Active"));
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
        if (declared.isPresent() && actual.isPresent() && BrokerNames.same(declared.get(), actual.get())) {
            return;
        }
        if (declared.isPresent()) {
            change(path, setting, declared.get(), actual.orElse(""), command.apply(option + declared.get()));
        } else {
            actual.ifPresent(
                    target -> add(path, setting, "", target, Kind.UNDECLARED, List.of(command.apply(option + "''"))));
        }
    }

    private void rules(String topic, String subscription, Map<String, String> declared, EntityProperties actual) {
        if (declared.isEmpty()) {
            return;
        }
        Map<String, String> there = Declaration.byName(actual.rules());
        Map<String, String> wanted = Declaration.byName(declared);
        declared.forEach((rule, sql) -> {
            String has = there.getOrDefault(rule, "");
            if (!has.strip().equals(sql.strip())) {
                add(
                        actual.path(),
                        "rule " + rule,
                        sql,
                        has,
                        Kind.CHANGE,
                        List.of(
                                has.isEmpty()
                                        ? azure.createRule(topic, subscription, rule, sql)
                                        : azure.updateRule(topic, subscription, rule, sql)));
            }
        });
        actual.rules().forEach((rule, sql) -> {
            boolean closed = rule.equals(DEFAULT_RULE) && sql.equals(NOTHING);
            if (!wanted.containsKey(rule) && !closed) {
                boolean left = rule.equals(DEFAULT_RULE) && sql.equals(EVERYTHING);
                add(
                        actual.path(),
                        "rule " + rule,
                        "",
                        left ? sql + ": lets everything in besides the rules" : sql,
                        left ? Kind.CHANGE : Kind.UNDECLARED,
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
