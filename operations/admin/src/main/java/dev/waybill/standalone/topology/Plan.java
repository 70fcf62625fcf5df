package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.topology.Difference.Setting;
import dev.waybill.standalone.topology.PlannedChange.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plans the changes of a namespace, and lists differences that stay. Not thread-safe. */
final class Plan {
    static final String EXISTENCE = "existence";

    private final Declaration declaration;
    private final Entities entities;
    private final Comparison comparison;
    private final List<PlannedChange> deeds = new ArrayList<>();

    Plan(Declaration declaration, Entities entities) {
        this.declaration = declaration;
        this.entities = entities;
        this.comparison = new Comparison(declaration.namespace(), entities);
    }

    List<PlannedChange> deeds(Removals removals) {
        Set<String> named = removals.all().stream()
                .map(removal -> Declaration.key(removal.path()))
                .collect(Collectors.toSet());
        Target.of(declaration).forEach(target -> add(target.differences(comparison), named));
        comparison.tier().forEach(difference -> add(Verb.LEAVE, difference));
        if (deeds.stream().noneMatch(deed -> deed.verb() == Verb.UNKNOWN)) {
            removals.all().forEach(removal -> add(removal, removals.withMessages()));
            extra().filter(path -> !named.contains(Declaration.key(path)))
                    .forEach(path -> add(path, Verb.LEAVE, new Setting(EXISTENCE, "", "there")));
        }
        return List.copyOf(deeds);
    }

    private void add(List<Difference> differences, Set<String> named) {
        for (Difference difference : differences) {
            String rule = difference.setting().name().replaceFirst("^rule ", difference.entity() + "/Rules/");
            if (named.contains(Declaration.key(rule))) {
                continue;
            }
            add(
                    switch (difference.kind()) {
                        case MISSING -> Verb.CREATE;
                        case CHANGE -> Verb.CHANGE;
                        case RECREATE -> Verb.REFUSE;
                        case UNDECLARED -> Verb.LEAVE;
                        case UNKNOWN -> Verb.UNKNOWN;
                    },
                    difference);
        }
    }

    private void add(Verb verb, Difference difference) {
        boolean needsPerson = !verb.isChange();
        deeds.add(new PlannedChange(
                difference.namespace(),
                difference.entity(),
                verb,
                difference.setting(),
                needsPerson ? difference.steps() : List.of()));
    }

    private void add(Removal removal, boolean withMessages) {
        Removal.Found found = removal.find(entities);
        long messages = found.messages().orElse(0L);
        Verb verb = Verb.DELETE;
        String actual = messages == 0 ? "there" : "holds " + messages + " messages";
        if (found.unknown().isPresent()) {
            verb = Verb.UNKNOWN;
            actual = found.unknown().get();
        } else if (found.messages().isEmpty()) {
            verb = Verb.LEAVE;
            actual = "missing";
        } else if (messages > 0 && !withMessages) {
            verb = Verb.REFUSE;
        }
        add(removal.path(), verb, new Setting(EXISTENCE, "", actual));
    }

    private void add(String path, Verb verb, Setting setting) {
        deeds.add(new PlannedChange(declaration.namespace().name(), path, verb, setting, List.of()));
    }

    // The forwarding target of a declared entity is there on purpose.
    private Stream<String> extra() {
        Set<String> targets = declaration.entities().stream()
                .flatMap(Declaration::targets)
                .map(Declaration::key)
                .collect(Collectors.toSet());
        Stream<String> subscriptions = declaration.entities().stream()
                .filter(entity -> entity.form().topic())
                .flatMap(this::extra);
        return Stream.concat(
                entities.inventory().stream()
                        .flatMap(all -> Stream.concat(all.queues().stream(), all.topics().stream()))
                        .filter(path -> !declaration.has(path) && !targets.contains(Declaration.key(path))),
                subscriptions);
    }

    private Stream<String> extra(DestinationSettings topic) {
        String path = topic.place().entity();
        Set<String> declared =
                topic.subscriptions().keySet().stream().map(Declaration::key).collect(Collectors.toSet());
        return entities.subscriptions(path).stream()
                .filter(name -> !declared.contains(Declaration.key(name)))
                .map(name -> Comparison.path(path, name));
    }
}
