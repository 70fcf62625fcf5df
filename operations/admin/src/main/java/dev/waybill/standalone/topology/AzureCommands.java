package dev.waybill.standalone.topology;

import static dev.waybill.standalone.topology.ShellText.word;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Renders commands of the Azure CLI that create or change entities. */
public final class AzureCommands {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";

    private final String where;

    /** The commands for a namespace, whose name is the first label of the host. */
    public AzureCommands(String host) {
        String name = host.isEmpty() ? "NAMESPACE" : host.split("\\.", 2)[0];
        where = " --resource-group \"$(az servicebus namespace list --query \"[?name=='" + name
                + "'].resourceGroup\" --output tsv)\" --namespace-name " + word(name);
    }

    public String update(String path, String option) {
        int cut = path.indexOf(SUBSCRIPTIONS);
        return cut < 0
                ? "az servicebus queue update" + where + " --name " + word(path) + " " + option
                : update(path.substring(0, cut), path.substring(cut + SUBSCRIPTIONS.length()), option);
    }

    public String allowSending(DestinationSettings destination) {
        String kind = destination.form().topic() ? "topic" : "queue";
        return "az role assignment create --role 'Azure Service Bus Data Sender' --assignee IDENTITY --scope \"$(az servicebus "
                + kind + " show" + where + " --name " + word(destination.place().entity())
                + " --query id --output tsv)\"";
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
                + word(name) + " " + String.join(" ", options);
    }

    String create(String topic, String name, Subscription subscription) {
        return "az servicebus topic subscription create" + where + " --topic-name " + word(topic) + " --name "
                + word(name)
                + (subscription.sessions() ? " --enable-session true " : " ")
                + String.join(" ", receiving(subscription.receiving()));
    }

    public String update(DestinationSettings destination, String option) {
        return "az servicebus " + (destination.form().topic() ? "topic" : "queue") + " update" + where + " --name "
                + word(destination.place().entity()) + " " + option;
    }

    String update(String topic, String subscription, String option) {
        return "az servicebus topic subscription update" + where + " --topic-name " + word(topic) + " --name "
                + word(subscription) + " " + option;
    }

    String createRule(String topic, String subscription, String rule, String sql) {
        return rule("create", topic, subscription, rule) + " --filter-sql-expression " + word(sql);
    }

    /** Changes a rule in one step: between a deletion and a creation the subscription would take no message. */
    String updateRule(String topic, String subscription, String rule, String sql) {
        return rule("update", topic, subscription, rule) + " --filter-sql-expression " + word(sql);
    }

    public String deleteRule(String topic, String subscription, String rule) {
        return rule("delete", topic, subscription, rule);
    }

    private String rule(String verb, String topic, String subscription, String rule) {
        return "az servicebus topic subscription rule " + verb + where + " --topic-name " + word(topic)
                + " --subscription-name " + word(subscription) + " --name " + word(rule);
    }

    public static String window(Duration window) {
        return "--duplicate-detection-history-time-window " + window;
    }

    private static List<String> receiving(Receiving receiving) {
        var options = new ArrayList<String>();
        options.add("--lock-duration " + receiving.lockDuration());
        options.add("--max-delivery-count " + receiving.maxDeliveryCount());
        options.add("--default-message-time-to-live " + receiving.timeToLive());
        options.add("--enable-dead-lettering-on-message-expiration " + receiving.deadLetterOnExpiry());
        receiving.forwardTo().ifPresent(entity -> options.add("--forward-to " + word(entity)));
        receiving
                .forwardDeadLettersTo()
                .ifPresent(entity -> options.add("--forward-dead-lettered-messages-to " + word(entity)));
        return options;
    }
}
