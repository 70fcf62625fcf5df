package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import java.util.ArrayList;
import java.util.List;

/** What a person does to create an entity, or to replace one whose settings are fixed. */
record CreationSteps(AzureCommands azure) {
    // The broker gives a new subscription a rule that takes everything.
    List<String> creation(String topic, String name, Subscription declared) {
        var steps = new ArrayList<>(List.of(azure.create(topic, name, declared)));
        declared.rules().forEach((rule, sql) -> steps.add(azure.createRule(topic, name, rule, sql)));
        if (!declared.rules().isEmpty() && !Declaration.byName(declared.rules()).containsKey(Comparison.DEFAULT_RULE)) {
            steps.add(azure.deleteRule(topic, name, Comparison.DEFAULT_RULE));
        }
        return steps;
    }

    List<String> recreation(DestinationSettings declared) {
        String name = declared.name();
        return List.of(
                "waybill-relay topology migrate " + name + " --dry-run   # what it takes, and what stands in the way",
                ActiveEntities.command(name) + "   # makes a new entity, lets "
                        + declared.place().entity() + " run dry while relays wait, then lets them send to the new one",
                "let the consumers receive from the new entity",
                "set destination." + name + ".entity to the new entity in every configuration",
                "waybill-relay topology apply --delete " + declared.place().entity()
                        + " --reason TEXT   # when nobody needs what it holds");
    }

    // A topic moves as a whole, because its rows form one stream; one subscription can be moved by hand.
    List<String> recreation(DestinationSettings topic, String name, Subscription declared) {
        var steps = new ArrayList<>(recreation(topic));
        String path = topic.place().entity();
        String next = name + "-2";
        steps.addAll(List.of(
                "# or this subscription alone, by hand:",
                "waybill-relay relay pause " + topic.name() + " --reason 'subscription " + name + " moves to " + next
                        + "'",
                azure.create(path, next, declared),
                "give " + next + " the rules of " + name + ", and remove its $Default if it has any",
                "wait until " + name + " is empty, dead letters and deferred messages included",
                "point the consumers to " + next,
                "waybill-relay relay resume " + topic.name() + " --reason 'subscription " + name + " moved'",
                "delete the subscription " + name));
        return steps;
    }
}
