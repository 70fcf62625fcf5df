package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.DestinationSettings.Receiving;
import dev.waybill.standalone.config.DestinationSettings.Subscription;
import dev.waybill.standalone.topology.Declaration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Renders the configuration of Microsoft's emulator: queues, topics, subscriptions and rules. */
final class EmulatorRenderer {
    /** The only namespace that the emulator allows. */
    private static final String NAMESPACE = "sbemulatorns";

    private EmulatorRenderer() {}

    static String render(Declaration declaration) {
        List<DestinationSettings> entities = declaration.entities();
        Map<String, Object> namespace = Resources.map("Name", NAMESPACE);
        namespace.put(
                "Queues",
                entities.stream()
                        .filter(entity -> !entity.form().topic())
                        .map(EmulatorRenderer::queue)
                        .toList());
        namespace.put(
                "Topics",
                entities.stream()
                        .filter(entity -> entity.form().topic())
                        .map(EmulatorRenderer::topic)
                        .toList());
        Map<String, Object> user = Resources.map("Namespaces", List.of(namespace));
        user.put("Logging", Resources.map("Type", "Console"));
        return ArmRenderer.json(Resources.map("UserConfig", user));
    }

    private static Map<String, Object> queue(DestinationSettings queue) {
        Map<String, Object> properties = detection(queue);
        properties.put("RequiresSession", queue.form().sessions());
        properties.putAll(receiving(queue.receiving()));
        return Resources.map("Name", queue.place().entity(), "Properties", properties);
    }

    private static Map<String, Object> topic(DestinationSettings topic) {
        List<Map<String, Object>> subscriptions = topic.subscriptions().entrySet().stream()
                .map(entry -> subscription(entry.getKey(), entry.getValue()))
                .toList();
        return Resources.map(
                "Name", topic.place().entity(), "Properties", detection(topic), "Subscriptions", subscriptions);
    }

    private static Map<String, Object> detection(DestinationSettings entity) {
        boolean detects = !entity.form().duplicateWindow().isZero();
        Map<String, Object> properties = Resources.map("RequiresDuplicateDetection", detects);
        if (detects) {
            properties.put(
                    "DuplicateDetectionHistoryTimeWindow",
                    IsoDuration.of(entity.form().duplicateWindow()));
        }
        return properties;
    }

    private static Map<String, Object> receiving(Receiving receiving) {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("LockDuration", IsoDuration.of(receiving.lockDuration()));
        properties.put("MaxDeliveryCount", receiving.maxDeliveryCount());
        properties.put("DefaultMessageTimeToLive", IsoDuration.of(receiving.timeToLive()));
        properties.put("DeadLetteringOnMessageExpiration", receiving.deadLetterOnExpiry());
        properties.put("ForwardTo", receiving.forwardTo().orElse(""));
        properties.put(
                "ForwardDeadLetteredMessagesTo",
                receiving.forwardDeadLettersTo().orElse(""));
        return properties;
    }

    private static Map<String, Object> subscription(String name, Subscription subscription) {
        Map<String, Object> properties = Resources.map("RequiresSession", subscription.sessions());
        properties.putAll(receiving(subscription.receiving()));
        List<Map<String, Object>> rules = subscription.rules().entrySet().stream()
                .map(rule -> Resources.map("Name", rule.getKey(), "Properties", filter(rule.getValue())))
                .toList();
        return Resources.map("Name", name, "Properties", properties, "Rules", rules);
    }

    private static Map<String, Object> filter(String sql) {
        return Resources.map("FilterType", "Sql", "SqlFilter", Resources.map("SqlExpression", sql));
    }
}
