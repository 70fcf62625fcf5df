package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.servicebus.EntityWriter;
import dev.waybill.standalone.servicebus.WriteResult;
import dev.waybill.standalone.servicebus.WriteResult.Result;
import dev.waybill.standalone.topology.Difference.Kind;
import dev.waybill.standalone.topology.Difference.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue, topic or subscription with rules to create or change. */
record Target(DestinationSettings entity, @Nullable String subscription) {
    private static final String RULE = "rule ";

    /** Queues and topics in forwarding order, then subscriptions. */
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

    WriteResult create(EntityWriter writer) {
        return subscription == null
                ? writer.create(entity)
                : writer.create(entity.place().entity(), subscription, declared(subscription));
    }

    /** Changes settings, then rules; {@code made} receives each completed change. */
    WriteResult change(EntityWriter writer, List<Difference> differences, Consumer<String> made) {
        List<Setting> changes = differences.stream()
                .filter(difference -> difference.kind() == Kind.CHANGE)
                .map(Difference::setting)
                .toList();
        boolean settings = changes.stream().anyMatch(change -> !change.name().startsWith(RULE));
        WriteResult written = settings ? change(writer) : new WriteResult(Result.DONE, "");
        if (settings && written.result() == Result.DONE) {
            made.accept("settings");
        }
        for (Setting rule : rules(changes)) {
            if (written.result() == Result.DONE) {
                written = rule(writer, rule, made);
            }
        }
        return written;
    }

    private WriteResult change(EntityWriter writer) {
        return subscription == null
                ? writer.change(entity)
                : writer.change(entity.place().entity(), subscription, declared(subscription));
    }

    // A narrower rule must not precede the rule that receives the rest, and the default rule goes last; otherwise
    // messages
    // could be lost in between.
    private List<Setting> rules(List<Setting> changes) {
        return changes.stream()
                .filter(change -> change.name().startsWith(RULE))
                .sorted(Comparator.comparingInt(Target::turn))
                .toList();
    }

    private static int turn(Setting rule) {
        if (rule.actual().isEmpty()) {
            return 0;
        }
        return rule.name().equals(RULE + Comparison.DEFAULT_RULE) ? 2 : 1;
    }

    private WriteResult rule(EntityWriter writer, Setting rule, Consumer<String> made) {
        String topic = entity.place().entity();
        String of = Objects.requireNonNull(subscription);
        String name = rule.name().substring(RULE.length());
        WriteResult written = declared(of).rules().containsKey(name)
                ? writer.rule(topic, of, name, rule.declared())
                : writer.deleteRule(topic, of, name);
        if (written.result() == Result.DONE) {
            made.accept(rule.name());
            return written;
        }
        return new WriteResult(written.result(), rule.name() + ": " + written.why());
    }

    private Subscription declared(String name) {
        return Optional.ofNullable(entity.subscriptions().get(name)).orElseThrow();
    }
}
