package dev.waybill.standalone.topology;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.config.NamespaceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The commands of Azure's CLI that bring an entity about, or change one of its settings. */
final class AzureCommands {
    private final String where;

    AzureCommands(NamespaceSettings namespace) {
        String host = namespace.host().orElse("NAMESPACE");
        where = " --resource-group RESOURCE_GROUP --namespace-name " + host.split("\\.", 2)[0];
    }

    String create(DestinationSettings destination, String name) {
        var options = new ArrayList<String>();
        if (!destination.form().duplicateWindow().isZero()) {
            options.add("--enable-duplicate-detection true");
            options.add(window(destination.form().duplicateWindow()));
        }
        if (destination.form().partitioned()) {
            options.add("--enable-partitioning true");
        }
        if (!destination.form().topic()) {
            if (destination.form().sessions()) {
                options.add("--enable-session true");
            }
            options.addAll(receiving(destination.receiving()));
        }
        return "az servicebus " + (destination.form().topic() ? "topic" : "queue") + " create" + where + " --name "
                + name + " " + String.join(" ", options);
    }

    String create(String topic, String name, Subscription subscription) {
        return "az servicebus topic subscription create" + where + " --topic-name " + topic + " --name " + name
                + (subscription.sessions() ? " --enable-session true " : " ")
                + String.join(" ", receiving(subscription.receiving()));
    }

    String update(DestinationSettings destination, String option) {
        return "az servicebus " + (destination.form().topic() ? "topic" : "queue") + " update" + where + " --name "
                + destination.place().entity() + " " + option;
    }

    String update(String topic, String subscription, String option) {
        return "az servicebus topic subscription update" + where + " --topic-name " + topic + " --name " + subscription
                + " " + option;
    }

    String createRule(String topic, String subscription, String rule, String sql) {
        return rule("create", topic, subscription, rule) + " --filter-sql-expression \"" + sql + '"';
    }

    String deleteRule(String topic, String subscription, String rule) {
        return rule("delete", topic, subscription, rule);
    }

    private String rule(String verb, String topic, String subscription, String rule) {
        return "az servicebus topic subscription rule " + verb + where + " --topic-name " + topic
                + " --subscription-name " + subscription + " --name '" + rule + "'";
    }

    static String window(Duration window) {
        return "--duplicate-detection-history-time-window " + window;
    }

    private static List<String> receiving(Receiving receiving) {
        var options = new ArrayList<String>();
        options.add("--lock-duration " + receiving.lockDuration());
        options.add("--max-delivery-count " + receiving.maxDeliveryCount());
        options.add("--default-message-time-to-live " + receiving.timeToLive());
        options.add("--enable-dead-lettering-on-message-expiration " + receiving.deadLetterOnExpiry());
        receiving.forwardTo().ifPresent(entity -> options.add("--forward-to " + entity));
        receiving
                .forwardDeadLettersTo()
                .ifPresent(entity -> options.add("--forward-dead-lettered-messages-to " + entity));
        return options;
    }
}
