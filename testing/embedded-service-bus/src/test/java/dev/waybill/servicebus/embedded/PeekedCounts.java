package dev.waybill.servicebus.embedded;

import com.azure.messaging.servicebus.ServiceBusClientBuilder.ServiceBusReceiverClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts by peeking, which shows what there is at this moment; the counts of administration are told later. */
final class PeekedCounts implements EntityCounts {
    private static final int AT_ONCE = 100;
    private static final String SUBSCRIPTIONS = "/subscriptions/";

    private final CaseNamespace namespace;
    private final String path;

    private PeekedCounts(CaseNamespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    static PeekedCounts of(CaseNamespace namespace, String path) {
        return new PeekedCounts(namespace, path);
    }

    List<String> ids() {
        return Clients.ids(peek(SubQueue.NONE));
    }

    private List<ServiceBusReceivedMessage> peek(SubQueue part) {
        ServiceBusReceiverClientBuilder builder = namespace.client().receiver().subQueue(part);
        int cut = path.toLowerCase(Locale.ROOT).indexOf(SUBSCRIPTIONS);
        if (cut < 0) {
            builder.queueName(namespace.name(path));
        } else {
            builder.topicName(namespace.name(path.substring(0, cut)))
                    .subscriptionName(path.substring(cut + SUBSCRIPTIONS.length()));
        }
        try (ServiceBusReceiverClient receiver = builder.buildClient()) {
            return peekAll(receiver);
        }
    }

    private static List<ServiceBusReceivedMessage> peekAll(ServiceBusReceiverClient receiver) {
        List<ServiceBusReceivedMessage> all = new ArrayList<>();
        int before;
        do {
            before = all.size();
            receiver.peekMessages(AT_ONCE).forEach(all::add);
        } while (all.size() > before);
        return all;
    }

    private int count(ServiceBusMessageState state) {
        return (int) peek(SubQueue.NONE).stream()
                .filter(message -> message.getState() == state)
                .count();
    }

    @Override
    public int active() {
        return count(ServiceBusMessageState.ACTIVE);
    }

    @Override
    public int deferred() {
        return count(ServiceBusMessageState.DEFERRED);
    }

    @Override
    public int scheduled() {
        return count(ServiceBusMessageState.SCHEDULED);
    }

    @Override
    public int deadLetters() {
        return peek(SubQueue.DEAD_LETTER_QUEUE).size();
    }

    @Override
    public int transferDeadLetters() {
        return peek(SubQueue.TRANSFER_DEAD_LETTER_QUEUE).size();
    }

    @Override
    public EntitySnapshot snapshot() {
        return namespace.embedded("sees locks, sessions or receivers").inspect(path);
    }
}
