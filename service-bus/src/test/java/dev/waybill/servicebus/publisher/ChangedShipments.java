package dev.waybill.servicebus.publisher;

import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Gives another publisher what a test makes of each shipment. */
record ChangedShipments(Publisher publisher, UnaryOperator<Publisher.Shipment> change) implements Publisher {
    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        return publisher.publish(change.apply(shipment));
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        return publisher.prepare(destination);
    }

    @Override
    public boolean followsEntities() {
        return publisher.followsEntities();
    }

    @Override
    public Duration longestSend() {
        return publisher.longestSend();
    }

    @Override
    public void close() {
        publisher.close();
    }
}
