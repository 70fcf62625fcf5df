package dev.waybill.benchmarks.outbox;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A broker that takes everything some time later, as one at the other end of a network does. */
final class DelayedPublisher implements Publisher {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final long delayMillis;
    private final Consumer<List<OutboxRow>> onAccepted;

    DelayedPublisher(Duration delay, Consumer<List<OutboxRow>> onAccepted) {
        this.delayMillis = delay.toMillis();
        this.onAccepted = onAccepted;
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        if (!shipment.mayContinue().getAsBoolean()) {
            return CompletableFuture.completedFuture(PublishResult.accepted(0));
        }
        var result = new CompletableFuture<PublishResult>();
        var unused = timer.schedule(
                () -> {
                    onAccepted.accept(shipment.rows());
                    result.complete(PublishResult.accepted(shipment.rows().size()));
                },
                delayMillis,
                TimeUnit.MILLISECONDS);
        return result;
    }

    @Override
    public void close() {
        timer.shutdown();
    }
}
