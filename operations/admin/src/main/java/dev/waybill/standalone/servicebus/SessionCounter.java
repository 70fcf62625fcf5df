package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.waybill.message.BrokerNames;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts the sessions that have active messages. A receiver without a session peeks messages of all sessions and locks none; a
 * peek cannot skip the rest of a session.
 */
public final class SessionCounter {
    /** Bounds requests and time; with more messages the count is a lower bound. */
    public static final int MOST_MESSAGES = 1_000;

    /** Peeked messages include their bodies. */
    private static final int PAGE = 50;

    /** The SDK's own time-out of a blocking call is minutes (azure-sdk-for-java issue 43830). */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final AmqpRetryOptions ONCE =
            new AmqpRetryOptions().setTryTimeout(DEADLINE).setMaxRetries(0);

    private final Supplier<ServiceBusClientBuilder> connections;

    SessionCounter(Supplier<ServiceBusClientBuilder> connections) {
        this.connections = connections;
    }

    /**
     * Peeks on a new connection.
     *
     * @throws RuntimeException if the namespace does not answer, or refuses
     */
    public Count count(String entity, Optional<String> subscription) {
        ServiceBusReceiverClientBuilder builder =
                connections.get().retryOptions(ONCE).receiver();
        var named = subscription.isEmpty()
                ? builder.queueName(entity)
                : builder.topicName(entity).subscriptionName(subscription.get());
        try (ServiceBusReceiverAsyncClient receiver = named.buildAsyncClient()) {
            return count(receiver);
        }
    }

    private static Count count(ServiceBusReceiverAsyncClient receiver) {
        var sessions = new HashSet<String>();
        long next = 0;
        for (int peeked = 0; peeked < MOST_MESSAGES; peeked += PAGE) {
            List<ServiceBusReceivedMessage> page = page(receiver, next);
            if (page.isEmpty()) {
                return new Count(sessions.size(), false);
            }
            page.stream()
                    .filter(message ->
                            message.getSessionId() != null && message.getState() == ServiceBusMessageState.ACTIVE)
                    .forEach(message -> sessions.add(BrokerNames.key(message.getSessionId())));
            next = page.get(page.size() - 1).getSequenceNumber() + 1;
        }
        // All of them may be deferred or scheduled, with a waiting one behind them, and a scaler that reads 0 ends
        // consumers.
        return page(receiver, next).isEmpty()
                ? new Count(sessions.size(), false)
                : new Count(Math.max(1, sessions.size()), true);
    }

    private static List<ServiceBusReceivedMessage> page(ServiceBusReceiverAsyncClient receiver, long from) {
        List<ServiceBusReceivedMessage> page =
                receiver.peekMessages(PAGE, from).collectList().block(DEADLINE);
        return page == null ? List.of() : page;
    }

    public record Count(int sessions, boolean atLeast) {}
}
