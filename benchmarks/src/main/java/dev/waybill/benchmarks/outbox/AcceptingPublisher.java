package dev.waybill.benchmarks.outbox;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A broker that takes everything at once, and somebody who looks on. */
record AcceptingPublisher(Consumer<List<OutboxRow>> onAccepted) implements Publisher {
    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        onAccepted.accept(shipment.rows());
        return CompletableFuture.completedFuture(
                PublishResult.accepted(shipment.rows().size()));
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
