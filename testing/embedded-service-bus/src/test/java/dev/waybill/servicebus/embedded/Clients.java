package dev.waybill.servicebus.embedded;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusRuleManagerClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Real clients of one broker, closed together. Their waits are short if the broker is on this machine. */
final class Clients implements AutoCloseable {
    private static final boolean FAR_AWAY = Boolean.getBoolean("waybill.live");
    static final Duration SHORT = FAR_AWAY ? Duration.ofSeconds(5) : Duration.ofMillis(300);
    static final Duration LONG = Duration.ofSeconds(FAR_AWAY ? 30 : 10);
    private static final Duration TRY = Duration.ofSeconds(FAR_AWAY ? 30 : 4);

    private static final int MORE = FAR_AWAY ? 2 : 0;

    private final Supplier<ServiceBusClientBuilder> client;
    private final UnaryOperator<String> names;
    private final List<AutoCloseable> opened = new ArrayList<>();

    Clients(EmbeddedServiceBus bus) {
        this.client = () -> new ServiceBusClientBuilder().connectionString(bus.connectionString());
        this.names = UnaryOperator.identity();
    }

    Clients(CaseNamespace namespace) {
        this.client = namespace::client;
        this.names = namespace::name;
    }

    ServiceBusClientBuilder builder() {
        return builder(0);
    }

    ServiceBusClientBuilder builder(int retries) {
        return builder(retries, TRY);
    }

    ServiceBusClientBuilder builder(int retries, Duration tryTimeout) {
        return client.get()
                .retryOptions(new AmqpRetryOptions()
                        .setMode(AmqpRetryMode.FIXED)
                        .setDelay(FAR_AWAY ? Duration.ofMillis(800) : Duration.ofMillis(1))
                        .setMaxDelay(Duration.ofSeconds(30))
                        .setMaxRetries(retries + MORE)
                        .setTryTimeout(tryTimeout));
    }

    <T extends AutoCloseable> T track(T client) {
        opened.add(client);
        return client;
    }

    ServiceBusSenderClient sender(String queue) {
        return track(builder().sender().queueName(names.apply(queue)).buildClient());
    }

    ServiceBusSenderClient retryingSender(String queue) {
        // The library waits at least four seconds between attempts, whatever it is told.
        return track(builder(1).sender().queueName(names.apply(queue)).buildClient());
    }

    ServiceBusSenderClient topicSender(String topic) {
        return track(builder().sender().topicName(names.apply(topic)).buildClient());
    }

    ServiceBusReceiverClient subscription(String topic, String name) {
        return track(builder()
                .receiver()
                .topicName(names.apply(topic))
                .subscriptionName(name)
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusReceiverClient subscriptionDeadLetters(String topic, String name) {
        return track(builder()
                .receiver()
                .topicName(names.apply(topic))
                .subscriptionName(name)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusRuleManagerClient rules(String topic, String name) {
        return track(builder()
                .ruleManager()
                .topicName(names.apply(topic))
                .subscriptionName(name)
                .buildClient());
    }

    ServiceBusReceiverClient transferDeadLetters(String queue) {
        return track(builder()
                .receiver()
                .queueName(names.apply(queue))
                .subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusReceiverClient receiver(String queue) {
        return track(builder()
                .receiver()
                .queueName(names.apply(queue))
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusReceiverClient deletingReceiver(String queue) {
        return track(builder()
                .receiver()
                .queueName(names.apply(queue))
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient());
    }

    ServiceBusReceiverClient deadLetters(String queue) {
        return track(builder()
                .receiver()
                .queueName(names.apply(queue))
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusSessionReceiverClient sessions(String queue) {
        return track(builder()
                .sessionReceiver()
                .queueName(names.apply(queue))
                .disableAutoComplete()
                .buildClient());
    }

    ServiceBusReceiverClient session(String queue, String id) {
        return track(sessions(queue).acceptSession(id));
    }

    /** The broker's condition behind whatever the client library made of it, or null. */
    static @Nullable AmqpErrorCondition conditionOf(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof AmqpException amqp && amqp.getErrorCondition() != null) {
                return amqp.getErrorCondition();
            }
        }
        return null;
    }

    static ServiceBusMessage message(String id) {
        return new ServiceBusMessage("body of " + id).setMessageId(id);
    }

    static ServiceBusMessage message(String id, String session) {
        return message(id).setSessionId(session);
    }

    /** Receives exactly this many messages, or fewer if no more come. */
    static List<ServiceBusReceivedMessage> receive(ServiceBusReceiverClient receiver, int count) {
        List<ServiceBusReceivedMessage> all = new ArrayList<>();
        while (all.size() < count) {
            int before = all.size();
            receiver.receiveMessages(count - before, LONG).forEach(all::add);
            if (all.size() == before) {
                break;
            }
        }
        return all;
    }

    static ServiceBusReceivedMessage receiveOne(ServiceBusReceiverClient receiver) {
        List<ServiceBusReceivedMessage> received = receive(receiver, 1);
        if (received.isEmpty()) {
            throw new AssertionError("No message came");
        }
        return received.get(0);
    }

    /** Looks whether anything comes; only for what must not come. */
    static List<ServiceBusReceivedMessage> receiveNothing(ServiceBusReceiverClient receiver) {
        return receiver.receiveMessages(1, SHORT).stream().toList();
    }

    static List<String> ids(List<ServiceBusReceivedMessage> messages) {
        return messages.stream().map(ServiceBusReceivedMessage::getMessageId).toList();
    }

    @Override
    public void close() {
        Collections.reverse(opened);
        for (AutoCloseable client : opened) {
            try {
                client.close();
            } catch (Exception e) {
                throw new AssertionError("A client could not be closed", e);
            }
        }
    }
}
