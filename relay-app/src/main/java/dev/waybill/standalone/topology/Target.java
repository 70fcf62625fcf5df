package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.Written;
import dev.waybill.standalone.servicebus.Written.Result;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One entity to bring about: a queue or topic, or a subscription with its rules.
 *
 * @param subscription its name; null for the queue or topic itself
 */
record Target(DestinationSettings entity, @Nullable String subscription) {
    private static final String RULE = "rule ";

    /** Queues and topics first, each after what it forwards to; then subscriptions, which forward to any of them. */
    static List<Target> of(Declaration declaration) {
        var targets = new ArrayList<Target>();
        declaration.entities().forEach(entity -> targets.add(new Target(entity, null)));
        declaration
                .entities()
                .forEach(entity ->
                        entity.subscriptions().keySet().forEach(name -> targets.add(new Target(entity, name))));
        return targets;
    }

    String path() {
        String of = entity.place().entity();
        return subscription == null ? of : Comparison.path(of, subscription);
    }

    String kind() {
        return subscription != null ? "subscription" : entity.form().topic() ? "topic" : "queue";
    }

    List<Difference> differences(Comparison comparison) {
        return subscription == null
                ? comparison.of(entity)
                : comparison.of(entity, subscription, declared(subscription));
    }

    Written create(EntityWriter writer) {
        return subscription == null
                ? writer.create(entity)
                : writer.create(entity.place().entity(), subscription, declared(subscription));
    }

    /**
     * Makes the changes. Of the rules, those that are missing come first, then those with another filter, and the default one goes
     * last: whatever one rule leaves out from now on, another one already lets in, so that no message falls between.
     *
     * @param made is told of each change that was made
     */
    Written change(EntityWriter writer, List<Difference> differences, Consumer<String> made) {
        if (subscription == null) {
            return writer.change(entity);
        }
        List<Setting> changes = differences.stream()
                .filter(difference -> difference.kind() == Kind.CHANGE)
                .map(Difference::setting)
                .toList();
        boolean settings = changes.stream().anyMatch(change -> !change.name().startsWith(RULE));
        Written written = settings
                ? writer.change(entity.place().entity(), subscription, declared(subscription))
                : new Written(Result.DONE, "");
        if (settings && written.result() == Result.DONE) {
            made.accept("settings");
        }
        List<Setting> rules = changes.stream()
                .filter(change -> change.name().startsWith(RULE))
                .sorted(Comparator.comparingInt(this::turn))
                .toList();
        for (int i = 0; i < rules.size() && written.result() == Result.DONE; i++) {
            written = rule(writer, subscription, rules.get(i), made);
        }
        return written;
    }

    private int turn(Setting rule) {
        if (!isDeclared(rule)) {
            return 2;
        }
        return rule.actual().isEmpty() ? 0 : 1;
    }

    private boolean isDeclared(Setting rule) {
        return subscription != null
                && declared(subscription).rules().containsKey(rule.name().substring(RULE.length()));
    }

    private Written rule(EntityWriter writer, String of, Setting rule, Consumer<String> made) {
        String topic = entity.place().entity();
        String name = rule.name().substring(RULE.length());
        Written written = isDeclared(rule)
                ? writer.rule(topic, of, name, rule.declared())
                : writer.deleteRule(topic, of, name);
        if (written.result() == Result.DONE) {
            made.accept(rule.name());
            return written;
        }
        return new Written(written.result(), rule.name() + ": " + written.why());
    }

    private Subscription declared(String name) {
        return Optional.ofNullable(entity.subscriptions().get(name)).orElseThrow();
    }
}
