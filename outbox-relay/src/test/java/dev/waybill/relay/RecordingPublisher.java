package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A broker that takes what the test lets it take, and remembers the order. */
final class RecordingPublisher implements Publisher {
    private final List<String> arrived = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<Shipment, PublishResult> behaviour =
            shipment -> PublishResult.accepted(shipment.rows().size());

    /** Decides how many rows of a shipment arrive; runs inside the send. */
    void behave(Function<Shipment, PublishResult> behaviour) {
        this.behaviour = behaviour;
    }

    List<String> arrived() {
        return List.copyOf(arrived);
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        if (!shipment.mayContinue().getAsBoolean()) {
            return CompletableFuture.completedFuture(PublishResult.accepted(0));
        }
        PublishResult result = behaviour.apply(shipment);
        shipment.rows().subList(0, result.accepted()).forEach(row -> arrived.add(row.brokerMessageId()));
        return CompletableFuture.completedFuture(result);
    }

    @Override
    public void close() {}
}
