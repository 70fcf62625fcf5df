package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusSessionReceiverClientBuilder;
import org.jspecify.annotations.Nullable;

/** A queue, or a subscription of a topic. */
record Entity(String name, @Nullable String subscription) {
    static Entity queue(String name) {
        return new Entity(name, null);
    }

    static Entity subscription(String topic, String subscription) {
        return new Entity(topic, subscription);
    }

    /** The broker's path. */
    String path() {
        return subscription == null ? name : name + "/Subscriptions/" + subscription;
    }

    ServiceBusReceiverClientBuilder of(ServiceBusReceiverClientBuilder builder) {
        return subscription == null
                ? builder.queueName(name)
                : builder.topicName(name).subscriptionName(subscription);
    }

    ServiceBusSessionReceiverClientBuilder of(ServiceBusSessionReceiverClientBuilder builder) {
        return subscription == null
                ? builder.queueName(name)
                : builder.topicName(name).subscriptionName(subscription);
    }
}
