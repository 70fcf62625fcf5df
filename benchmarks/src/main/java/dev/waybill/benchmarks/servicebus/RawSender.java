package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The SDK and nothing else: batches of messages that are ready in memory, many in flight. */
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
        Flux.fromIterable(batches).flatMap(this::send, inFlight).then().block();
    }

    private Mono<Void> send(List<ServiceBusMessage> messages) {
        return client.createMessageBatch().flatMap(batch -> client.sendMessages(fill(batch, messages)));
    }

    private static ServiceBusMessageBatch fill(ServiceBusMessageBatch batch, List<ServiceBusMessage> messages) {
        for (ServiceBusMessage message : messages) {
            if (!batch.tryAddMessage(message)) {
                throw new IllegalArgumentException(
                        messages.size() + " messages do not fit into " + batch.getMaxSizeInBytes() + " bytes");
            }
        }
        return batch;
    }

    @Override
    public void close() {
        client.close();
    }
}
