package dev.waybill.standalone.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.message.WireContract;
import dev.waybill.servicebus.AmqpTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Receives, abandons and peeks messages of a queue, for experiments. */
public final class QueueTool {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Supplier<ServiceBusClientBuilder> connections;

    QueueTool(Supplier<ServiceBusClientBuilder> connections) {
        this.connections = connections;
    }

    /** Receives and completes messages up to the limit. */
    public List<Seen> receive(String queue, Optional<String> session, int most) {
        return take(queue, session, most, ServiceBusReceiverClient::complete);
    }

    /** Receives and abandons the first message this many times. */
    public List<Seen> abandon(String queue, Optional<String> session, int times) {
        return take(queue, session, times, ServiceBusReceiverClient::abandon);
    }

    /** Peeks the first messages or dead letters. */
    public List<Seen> peek(String queue, boolean deadLetters, int most) {
        try (ServiceBusReceiverClient receiver = connections
                .get()
                .receiver()
                .queueName(queue)
                .subQueue(deadLetters ? SubQueue.DEAD_LETTER_QUEUE : SubQueue.NONE)
                .buildClient()) {
            var seen = new ArrayList<Seen>();
            long from = 0;
            // An answer may have fewer than were asked for.
            for (List<Seen> page = page(receiver, most, from); !page.isEmpty(); ) {
                seen.addAll(page);
                from = page.get(page.size() - 1).number() + 1;
                page = seen.size() < most ? page(receiver, most - seen.size(), from) : List.of();
            }
            return seen;
        }
    }

    private static List<Seen> page(ServiceBusReceiverClient receiver, int most, long from) {
        return receiver.peekMessages(most, from).stream().map(Seen::of).toList();
    }

    private List<Seen> take(String queue, Optional<String> session, int most, Settlement settlement) {
        var seen = new ArrayList<Seen>();
        try (ServiceBusReceiverClient receiver = receiver(queue, session)) {
            while (seen.size() < most) {
                try (Stream<ServiceBusReceivedMessage> received = receiver.receiveMessages(1, PATIENCE).stream()) {
                    List<ServiceBusReceivedMessage> messages = received.toList();
                    if (messages.isEmpty()) {
                        return seen;
                    }
                    seen.add(Seen.of(messages.get(0)));
                    settlement.settle(receiver, messages.get(0));
                }
            }
        }
        return seen;
    }

    private ServiceBusReceiverClient receiver(String queue, Optional<String> session) {
        if (session.isEmpty()) {
            return connections.get().receiver().queueName(queue).buildClient();
        }
        return connections
                .get()
                .sessionReceiver()
                .queueName(queue)
                .buildClient()
                .acceptSession(session.get());
    }

    /** A message, with the reason if it is a dead letter. */
    public record Seen(long number, Ids ids, long delivery, String body, Optional<String> because) {
        /** The ids of a message; all copies share the logical one. */
        public record Ids(String message, String logical, Optional<String> session) {}

        static Seen of(ServiceBusReceivedMessage message) {
            String logical = message.getApplicationProperties().get(WireContract.LOGICAL_ID) instanceof String id
                            && WireContract.isIdOf(message.getMessageId(), id)
                    ? id
                    : "";
            return new Seen(
                    message.getSequenceNumber(),
                    new Ids(
                            String.valueOf(message.getMessageId()),
                            logical,
                            Optional.ofNullable(message.getSessionId())),
                    message.getDeliveryCount() + 1,
                    AmqpTypes.shown(message),
                    Optional.ofNullable(message.getDeadLetterReason()));
        }
    }

    @FunctionalInterface
    private interface Settlement {
        void settle(ServiceBusReceiverClient receiver, ServiceBusReceivedMessage message);
    }
}
