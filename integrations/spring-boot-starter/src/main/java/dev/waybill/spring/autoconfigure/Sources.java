package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.MessageSource;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Where a consumer's messages come from. */
final class Sources {
    private Sources() {}

    static MessageSource of(ConsumerProperties consumer, ServiceBusConnections connections) {
        UnaryOperator<EntityDescription> entity = plain ->
                plain.withLockDuration(consumer.lockDuration()).withMaxDeliveryCount(consumer.maxDeliveryCount());
        return consumer.sessions()
                ? sessions(consumer, connections).with(entity)
                : messages(consumer, connections).with(entity);
    }

    private static ServiceBusSource sessions(ConsumerProperties consumer, ServiceBusConnections connections) {
        return consumer.queue() != null
                ? ServiceBusSource.ofQueue(connections, consumer.queue()).withSessions()
                : ServiceBusSource.ofSubscription(connections, topic(consumer), subscription(consumer))
                        .withSessions();
    }

    private static ServiceBusSource messages(ConsumerProperties consumer, ServiceBusConnections connections) {
        return consumer.queue() != null
                ? ServiceBusSource.ofQueue(connections, consumer.queue())
                : ServiceBusSource.ofSubscription(connections, topic(consumer), subscription(consumer));
    }

    private static String topic(ConsumerProperties consumer) {
        return Objects.requireNonNull(consumer.topic());
    }

    private static String subscription(ConsumerProperties consumer) {
        return Objects.requireNonNull(consumer.subscription());
    }
}
