package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
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

    /** Refuses these messages whenever they are sent, and takes all others. */
    void refuse(String... ids) {
        behave(shipment -> refusing(shipment, Set.of(ids)));
    }

    void takeEverything() {
        behave(shipment -> PublishResult.accepted(shipment.rows().size()));
    }

    static PublishResult refusing(Shipment shipment, Set<String> ids) {
        for (int i = 0; i < shipment.rows().size(); i++) {
            if (ids.contains(shipment.rows().get(i).messageId())) {
                return PublishResult.refused(i, new IllegalArgumentException("too large"));
            }
        }
        return PublishResult.accepted(shipment.rows().size());
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
