package dev.waybill.test.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.inbox.MessageSource;
import dev.waybill.message.WireContract;
import dev.waybill.relay.Publisher;
import dev.waybill.servicebus.AmqpTypes;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker as a test reaches it. An entity is the name of a queue, or {@code topic/subscription}. Thread-safe. */
public final class TestBroker {
    private static final int MOST_PEEKED = 1_000;

    private final String connectionString;

    public TestBroker(String connectionString) {
        this.connectionString = connectionString;
    }

    public static String path(String entity) {
        int slash = entity.indexOf('/');
        return slash < 0 || entity.toLowerCase(java.util.Locale.ROOT).contains("/subscriptions/")
                ? entity
                : entity.substring(0, slash) + "/subscriptions/" + entity.substring(slash + 1);
    }

    public Publisher publisher() {
        return ServiceBusPublisher.of(this::builder);
    }

    public MessageSource source(String entity, boolean sessions) {
        String[] parts = parts(entity);
        if (parts.length == 1) {
            return sessions
                    ? ServiceBusSource.ofQueue(this::builder, entity).withSessions()
                    : ServiceBusSource.ofQueue(this::builder, entity);
        }
        return sessions
                ? ServiceBusSource.ofSubscription(this::builder, parts[0], parts[1])
                        .withSessions()
                : ServiceBusSource.ofSubscription(this::builder, parts[0], parts[1]);
    }

    /** The first dead letters of an entity, which stay there. */
    public List<DeadLetter> deadLetters(String entity) {
        String[] parts = parts(entity);
        var receivers =
                builder().receiver().subQueue(SubQueue.DEAD_LETTER_QUEUE).disableAutoComplete();
        receivers = parts.length == 1
                ? receivers.queueName(entity)
                : receivers.topicName(parts[0]).subscriptionName(parts[1]);
        try (ServiceBusReceiverClient receiver = receivers.buildClient()) {
            var found = new ArrayList<DeadLetter>();
            receiver.peekMessages(MOST_PEEKED).forEach(message -> found.add(deadLetter(message)));
            return found;
        }
    }

    private static DeadLetter deadLetter(ServiceBusReceivedMessage message) {
        String brokerId = String.valueOf(message.getMessageId());
        Object logical = message.getApplicationProperties().get(WireContract.LOGICAL_ID);
        String other = brokerId(brokerId, logical);
        return new DeadLetter(
                logicalId(brokerId, logical),
                message.getSessionId() == null ? "" : message.getSessionId(),
                message.getSubject() == null ? "" : message.getSubject(),
                AmqpTypes.shown(message),
                message.getDeadLetterReason() + ": " + message.getDeadLetterErrorDescription()
                        + (other.isEmpty() ? "" : " (" + other + ")"));
    }

    /**
     * The id by which the outbox and consumers know a message: that of the property only where the broker's is one of its ids.
     *
     * @param property its application property {@link WireContract#LOGICAL_ID}, if it has that
     */
    public static String logicalId(String brokerId, @Nullable Object property) {
        return property instanceof String id && WireContract.isIdOf(brokerId, id) ? id : brokerId;
    }

    /** In words, the broker's id if it is another one. */
    public static String brokerId(String brokerId, @Nullable Object property) {
        return logicalId(brokerId, property).equals(brokerId) ? "" : "at the broker '" + brokerId + "'";
    }

    private static String[] parts(String entity) {
        return path(entity).split("/subscriptions/", 2);
    }

    private ServiceBusClientBuilder builder() {
        return new ServiceBusClientBuilder().connectionString(connectionString);
    }

    public record DeadLetter(String id, String session, String subject, String body, String why) {}
}
