package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The relay's own publisher, and somebody who is told of each row that the broker has acknowledged. */
public final class ObservedPublisher implements Publisher {
    private final Publisher publisher;
    private final Consumer<List<OutboxRow>> onAcknowledged;

    private ObservedPublisher(Publisher publisher, Consumer<List<OutboxRow>> onAcknowledged) {
        this.publisher = publisher;
        this.onAcknowledged = onAcknowledged;
    }

    /** A publisher to the namespace of a connection string; the observer is called by many threads. */
    public static Publisher to(String connectionString, Consumer<List<OutboxRow>> onAcknowledged) {
        return to(connectionString, Integer.MAX_VALUE, onAcknowledged);
    }

    /** The same with no more than so many messages in a batch. */
    public static Publisher to(String connectionString, int batchLimit, Consumer<List<OutboxRow>> onAcknowledged) {
        var publisher = ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(connectionString))
                .withBatchLimit(batchLimit);
        return new ObservedPublisher(publisher, onAcknowledged);
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        return publisher.publish(shipment).thenApply(result -> {
            onAcknowledged.accept(shipment.rows().subList(0, result.accepted()));
            return result;
        });
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        return publisher.prepare(destination);
    }

    @Override
    public void close() {
        publisher.close();
    }
}
