package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The SDK and nothing else: batches of what is ready in memory, many in flight. */
final class RawSender implements AutoCloseable {
    private final ServiceBusSenderAsyncClient client;

    RawSender(String connectionString, String queue) {
        client = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .sender()
                .queueName(queue)
                .buildAsyncClient();
    }

    /** Returns when the broker has acknowledged everything. */
    void send(List<List<ServiceBusMessage>> batches, int inFlight) {
        send(batches, inFlight, message -> message);
    }

    /** The same with messages that are made when they are sent. */
    <T> void send(List<List<T>> batches, int inFlight, Function<T, ServiceBusMessage> toMessage) {
        Flux.fromIterable(batches)
                .flatMap(batch -> send(batch, toMessage), inFlight)
                .then()
                .block();
    }

    private <T> Mono<Void> send(List<T> contents, Function<T, ServiceBusMessage> toMessage) {
        return client.createMessageBatch().flatMap(batch -> client.sendMessages(fill(batch, contents, toMessage)));
    }

    private static <T> ServiceBusMessageBatch fill(
            ServiceBusMessageBatch batch, List<T> contents, Function<T, ServiceBusMessage> toMessage) {
        for (T content : contents) {
            if (!batch.tryAddMessage(toMessage.apply(content))) {
                throw new IllegalArgumentException(
                        contents.size() + " messages do not fit into " + batch.getMaxSizeInBytes() + " bytes");
            }
        }
        return batch;
    }

    @Override
    public void close() {
        client.close();
    }
}
