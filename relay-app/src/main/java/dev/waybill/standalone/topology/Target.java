package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.Written;
import dev.waybill.standalone.servicebus.Written.Result;
import dev.waybill.standalone.topology.Difference.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Makes the changes: rules that are declared before the default one goes, so that no message falls between. */
    Written change(EntityWriter writer, List<Difference> differences) {
        if (subscription == null) {
            return writer.change(entity);
        }
        String topic = entity.place().entity();
        List<String> changes = differences.stream()
                .filter(difference -> difference.kind() == Kind.CHANGE)
                .map(difference -> difference.setting().name())
                .toList();
        var written = new Written(Result.DONE, "");
        if (changes.stream().anyMatch(name -> !name.startsWith(RULE))) {
            written = writer.change(topic, subscription, declared(subscription));
        }
        for (Map.Entry<String, String> rule : declared(subscription).rules().entrySet()) {
            if (written.result() == Result.DONE && changes.contains(RULE + rule.getKey())) {
                written = writer.rule(topic, subscription, rule.getKey(), rule.getValue());
            }
        }
        boolean open = changes.contains(RULE + Comparison.DEFAULT_RULE)
                && !declared(subscription).rules().containsKey(Comparison.DEFAULT_RULE);
        return open && written.result() == Result.DONE
                ? writer.deleteRule(topic, subscription, Comparison.DEFAULT_RULE)
                : written;
    }

    private Subscription declared(String name) {
        return Optional.ofNullable(entity.subscriptions().get(name)).orElseThrow();
    }
}
