package dev.waybill.spring.test;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.spring.autoconfigure.ConsumerProperties;
import dev.waybill.spring.autoconfigure.WaybillProperties;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues, topics and subscriptions that a service's properties name. A destination that no consumer here
 * receives from is a queue, so that a test can see what was published.
 */
final class ServiceEntities {
    private final WaybillProperties properties;

    ServiceEntities(WaybillProperties properties) {
        this.properties = properties;
    }

    /** The kit's name for the entity of a consumer. */
    static String entity(@Nullable ConsumerProperties consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return consumer.queue() != null ? consumer.queue() : consumer.topic() + "/" + consumer.subscription();
    }

    void createAt(EmbeddedServiceBus bus) {
        queues().forEach((queue, sessions) -> bus.createQueue(queue, settings -> settings.requiresSession(sessions)));
        topics().forEach((topic, subscriptions) -> bus.createTopic(topic, plain -> with(plain, subscriptions)));
    }

    /** With none of the messages that were there. */
    void createAnewAt(EmbeddedServiceBus bus) {
        queues().keySet().forEach(bus::delete);
        topics().keySet().forEach(bus::delete);
        createAt(bus);
    }

    private Map<String, Boolean> queues() {
        var queues = new TreeMap<String, Boolean>();
        var topics = new TreeSet<String>();
        properties.consumers().values().forEach(consumer -> {
            if (consumer.queue() != null) {
                queues.merge(consumer.queue(), consumer.sessions(), Boolean::logicalOr);
            } else {
                topics.add(String.valueOf(consumer.topic()));
            }
        });
        properties.destinations().forEach((name, destination) -> {
            if (!topics.contains(name)) {
                queues.putIfAbsent(name, destination.sessions());
            }
        });
        return queues;
    }

    private Map<String, Map<String, Boolean>> topics() {
        var topics = new TreeMap<String, Map<String, Boolean>>();
        properties.consumers().values().stream()
                .filter(consumer -> consumer.queue() == null)
                .forEach(consumer -> topics.computeIfAbsent(String.valueOf(consumer.topic()), key -> new TreeMap<>())
                        .put(String.valueOf(consumer.subscription()), consumer.sessions()));
        return topics;
    }

    private static TopicOptions with(TopicOptions plain, Map<String, Boolean> subscriptions) {
        TopicOptions topic = plain;
        for (var subscription : subscriptions.entrySet()) {
            topic = topic.subscription(
                    subscription.getKey(),
                    settings -> settings.delivery(delivery -> delivery.requiresSession(subscription.getValue())));
        }
        return topic;
    }
}
