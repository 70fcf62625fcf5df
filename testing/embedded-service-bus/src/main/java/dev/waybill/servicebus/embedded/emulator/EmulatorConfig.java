package dev.waybill.servicebus.embedded.emulator;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Reads the configuration file of Microsoft's emulator. Stateless. */
public final class EmulatorConfig {
    private static final int NAMESPACES = 1;
    /** Editors on Windows start a file with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private EmulatorConfig() {}

    /** Throws {@code ConfigException} if the file is unreadable or not understood. */
    public static EmbeddedServiceBusBuilder read(Path file) {
        try {
            return parse(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ConfigException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Throws {@code ConfigException} if the document is no JSON or not understood. */
    public static EmbeddedServiceBusBuilder parse(String document) {
        ConfigNode root;
        try {
            root = ConfigNode.of(
                    "$", Json.parse(document.startsWith(BYTE_ORDER_MARK) ? document.substring(1) : document));
        } catch (IOException e) {
            throw new ConfigException("Not a JSON document: " + e.getMessage(), e);
        }
        ConfigNode user = root.object("UserConfig");
        if (user == null) {
            throw new ConfigException("$.UserConfig is missing");
        }
        // Where editors find the emulator's schema.
        root.text("$schema");
        root.finished();
        List<ConfigNode> namespaces = user.list("Namespaces");
        if (namespaces.size() != NAMESPACES) {
            throw new ConfigException("$.UserConfig.Namespaces must have one element, and has " + namespaces.size());
        }
        user.object("Logging");
        user.finished();
        return entities(namespaces.get(0));
    }

    private static EmbeddedServiceBusBuilder entities(ConfigNode namespace) {
        EmbeddedServiceBusBuilder builder = EmbeddedServiceBus.builder();
        namespace.text("Name");
        for (ConfigNode queue : namespace.list("Queues")) {
            builder.queue(queue.requiredText("Name"), settings(queue));
            queue.finished();
        }
        for (ConfigNode topic : namespace.list("Topics")) {
            builder.topic(topic.requiredText("Name"), topic(topic));
            topic.finished();
        }
        namespace.finished();
        return builder;
    }

    private static TopicOptions topic(ConfigNode topic) {
        QueueOptions intake = settings(topic);
        TopicOptions options = TopicOptions.defaults().intake(unused -> intake);
        for (ConfigNode subscription : topic.list("Subscriptions")) {
            options = options.subscription(subscription.requiredText("Name"), subscription(subscription));
            subscription.finished();
        }
        return options;
    }

    private static SubscriptionOptions subscription(ConfigNode subscription) {
        QueueOptions delivery = settings(subscription);
        SubscriptionOptions options = SubscriptionOptions.defaults().delivery(unused -> delivery);
        for (ConfigNode rule : subscription.list("Rules")) {
            options = options.rule(RuleConfig.read(rule));
        }
        return options;
    }

    private static QueueOptions settings(ConfigNode entity) {
        ConfigNode properties = entity.object("Properties");
        if (properties == null) {
            return QueueOptions.defaults();
        }
        try {
            QueueOptions options = settings(properties, QueueOptions.defaults());
            properties.finished();
            return options;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(properties.place() + ": " + e.getMessage(), e);
        }
    }

    private static QueueOptions settings(ConfigNode properties, QueueOptions defaults) {
        QueueOptions options = defaults.requiresSession(properties.flag("RequiresSession"))
                .deadLetterOnExpiration(properties.flag("DeadLetteringOnMessageExpiration"))
                .forwardTo(properties.text("ForwardTo"))
                .forwardDeadLettersTo(properties.text("ForwardDeadLetteredMessagesTo"));
        Duration lock = properties.duration("LockDuration");
        options = lock == null ? options : options.lockDuration(lock);
        Duration life = properties.duration("DefaultMessageTimeToLive");
        options = life == null ? options : options.timeToLive(life);
        Integer deliveries = properties.number("MaxDeliveryCount");
        options = deliveries == null ? options : options.maxDeliveryCount(deliveries);
        Duration window = properties.duration("DuplicateDetectionHistoryTimeWindow");
        if (properties.flag("RequiresDuplicateDetection")) {
            options = options.duplicateDetection(window == null ? Duration.ofMinutes(10) : window);
        }
        return options;
    }
}
