package dev.waybill.relay;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** One destination's way out of the relay. Thread-safe. */
record Outlet(String destination, HoldPolicy policy, Publisher publisher, Breaker breaker) {

    /** Sends rows of one lane, unless the destination is being spared. */
    CompletableFuture<PublishResult> send(List<OutboxRow> rows, BooleanSupplier mayContinue) {
        if (!breaker.admits()) {
            return CompletableFuture.completedFuture(PublishResult.accepted(0));
        }
        var shipment =
                new Publisher.Shipment(destination, rows, () -> breaker.isFlowing() && mayContinue.getAsBoolean());
        return publisher.publish(shipment).toCompletableFuture().whenComplete((result, thrown) -> {
            breaker.report(result != null ? result : PublishResult.failed(0, thrown));
        });
    }
}
