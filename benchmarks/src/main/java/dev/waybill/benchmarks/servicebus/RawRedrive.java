package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Receive, send, complete, with the SDK and nothing else: what a script does that trusts in no crash.
 *
 * @param messages a multiple of a hundred
 */
record RawRedrive(int messages) {
    private static final int BATCH = 100;
    static final int BATCHES_ON_THE_WAY = 8;
    static final int COMPLETIONS_IN_FLIGHT = 256;

    /** As the collector's. With more, the client closes links whose messages come faster than it takes them. */
    static final int CREDIT = 2 * BATCH;

    /** Messages per second. */
    double rate(Consumer<EmbeddedServiceBus> condition) {
        try (EmbeddedServiceBus bus = DeadQueue.start(messages)) {
            condition.accept(bus);
            var watch = Stopwatch.start();
            try (var receiver = receiver(bus);
                    var sender =
                            connection(bus).sender().queueName(DeadQueue.TARGET).buildAsyncClient()) {
                move(receiver, sender);
                double rate = watch.rate(messages);
                DeadQueue.requireMoved(bus, messages);
                return rate;
            }
        }
    }

    static ServiceBusReceiverAsyncClient receiver(EmbeddedServiceBus bus) {
        return connection(bus)
                .receiver()
                .queueName(DeadQueue.SOURCE)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildAsyncClient();
    }

    // Ended by the last completion and not by the last receive: that would close the link under the others.
    private void move(ServiceBusReceiverAsyncClient receiver, ServiceBusSenderAsyncClient sender) {
        receiver.receiveMessages()
                .limitRate(CREDIT)
                .buffer(BATCH)
                .flatMap(batch -> send(sender, batch).thenMany(Flux.fromIterable(batch)), BATCHES_ON_THE_WAY)
                .flatMap(message -> receiver.complete(message).thenReturn(message), COMPLETIONS_IN_FLIGHT)
                .take(messages)
                .then()
                .block();
    }

    // One each, as the collector and the relay have.
    private static ServiceBusClientBuilder connection(EmbeddedServiceBus bus) {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    private static Mono<Void> send(ServiceBusSenderAsyncClient sender, List<ServiceBusReceivedMessage> dead) {
        return sender.createMessageBatch().flatMap(batch -> sender.sendMessages(fill(batch, dead)));
    }

    private static ServiceBusMessageBatch fill(ServiceBusMessageBatch batch, List<ServiceBusReceivedMessage> dead) {
        for (ServiceBusReceivedMessage message : dead) {
            if (!batch.tryAddMessage(new ServiceBusMessage(message))) {
                throw new IllegalArgumentException(dead.size() + " messages do not fit into a batch");
            }
        }
        return batch;
    }
}
