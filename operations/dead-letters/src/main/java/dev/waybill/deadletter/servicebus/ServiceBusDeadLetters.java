package dev.waybill.deadletter.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.servicebus.ReceiveBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A dead-letter queue through the Azure SDK's asynchronous receiver, on a connection of its own. */
public final class ServiceBusDeadLetters implements DeadLetterQueue {
    /** The SDK's own time-out is longer than most locks (azure-sdk-for-java issue 43830). */
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final Supplier<ServiceBusClientBuilder> builders;
    private final DeadLetterEntity entity;
    private final @Nullable String subscription;
    private volatile @Nullable Link link;

    private ServiceBusDeadLetters(
            Supplier<ServiceBusClientBuilder> builders, DeadLetterEntity entity, @Nullable String subscription) {
        this.builders = builders;
        this.entity = entity;
        this.subscription = subscription;
    }

    /** The dead letters of a queue. A builder with connection string or credential is made once for each connection. */
    public static ServiceBusDeadLetters ofQueue(Supplier<ServiceBusClientBuilder> builders, String queue) {
        return new ServiceBusDeadLetters(builders, DeadLetterEntity.queue(queue), null);
    }

    public static ServiceBusDeadLetters ofSubscription(
            Supplier<ServiceBusClientBuilder> builders, String topic, String subscription) {
        return new ServiceBusDeadLetters(builders, DeadLetterEntity.subscription(topic, subscription), subscription);
    }

    public ServiceBusDeadLetters transfers() {
        return new ServiceBusDeadLetters(builders, entity.transfers(), subscription);
    }

    @Override
    public DeadLetterEntity entity() {
        return entity;
    }

    @Override
    public List<ReceivedDeadLetter> receive(int most, Duration atMost) throws InterruptedException {
        return link().next(most, atMost).stream()
                .map(message -> MessageMapping.toArrival(message, entity))
                .toList();
    }

    @Override
    public CompletionStage<@Nullable Void> complete(ReceivedDeadLetter letter) {
        return link().receiver
                .complete((ServiceBusReceivedMessage) letter.handle())
                .timeout(DEADLINE)
                .toFuture();
    }

    @Override
    public DeadLetterQueue.Depth peek(int most) {
        @Nullable Link current = link;
        if (current != null) {
            return peek(current, most);
        }
        try (var peeking = open()) {
            return peek(peeking, most);
        }
    }

    // From the beginning: a receiver continues where it has peeked before.
    private static DeadLetterQueue.Depth peek(Link peeking, int most) {
        List<Instant> enqueued = peeking.receiver
                .peekMessages(most, 0)
                .map(message -> message.getEnqueuedTime().toInstant())
                .collectList()
                .block(DEADLINE);
        List<Instant> times = enqueued == null ? List.of() : enqueued;
        return new DeadLetterQueue.Depth(
                times.size(), times.stream().min(Comparator.naturalOrder()).orElse(null));
    }

    @Override
    public void renew() {
        @Nullable Link old = link;
        link = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        renew();
    }

    private Link link() {
        @Nullable Link current = link;
        if (current == null) {
            current = open();
            link = current;
        }
        return current;
    }

    private Link open() {
        var builder = builders.get()
                .retryOptions(new AmqpRetryOptions().setTryTimeout(DEADLINE).setMaxRetries(0))
                .receiver()
                .subQueue(entity.transfer() ? SubQueue.TRANSFER_DEAD_LETTER_QUEUE : SubQueue.DEAD_LETTER_QUEUE)
                .receiveMode(ServiceBusReceiveMode.PEEK_LOCK)
                .prefetchCount(0)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO);
        var named = subscription == null
                ? builder.queueName(entity.destination())
                : builder.topicName(entity.destination()).subscriptionName(subscription);
        return new Link(named.buildAsyncClient(), entity.toString());
    }

    /** A receiver, and its messages once they are asked for. */
    private static final class Link implements AutoCloseable {
        private final ServiceBusReceiverAsyncClient receiver;
        private final String name;
        private @Nullable ReceiveBuffer buffer;

        Link(ServiceBusReceiverAsyncClient receiver, String name) {
            this.receiver = receiver;
            this.name = name;
        }

        // While some are stored, as many again are received.
        List<ServiceBusReceivedMessage> next(int most, Duration atMost) throws InterruptedException {
            ReceiveBuffer messages = buffer();
            messages.readAhead(most);
            return messages.next(most, atMost);
        }

        private synchronized ReceiveBuffer buffer() {
            @Nullable ReceiveBuffer current = buffer;
            if (current == null) {
                current = new ReceiveBuffer(name, () -> {}, IllegalStateException::new);
                receiver.receiveMessages().subscribe(current);
                buffer = current;
            }
            return current;
        }

        @Override
        public synchronized void close() {
            if (buffer != null) {
                buffer.dispose();
            }
            receiver.close();
        }
    }
}
