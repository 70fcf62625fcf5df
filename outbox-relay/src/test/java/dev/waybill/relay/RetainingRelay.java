package dev.waybill.relay;

import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A relay of {@code orders}, which it retains, and {@code bills}; its broker accepts everything but one message. */
public final class RetainingRelay {
    private static final Duration WEEK = Duration.ofDays(7);

    public final List<OutboxRow> arrived = new ArrayList<>();
    /** The id of the message that the broker refuses. */
    public String refused = "";

    private final NewTables tables;

    public RetainingRelay(NewTables tables) {
        this.tables = tables;
    }

    /** Publishes all that waits. */
    public void publish() {
        try (Relay relay = Relay.builder(tables.dataSource())
                .schema(tables.schema)
                .destination("orders")
                .destination("bills")
                .retain("orders", WEEK)
                .publisher(new Accepting())
                .build()) {
            while (relay.publishCommitted() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private final class Accepting implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            List<OutboxRow> accepted = shipment.rows().stream()
                    .takeWhile(row -> !row.messageId().equals(refused))
                    .toList();
            synchronized (arrived) {
                arrived.addAll(accepted);
            }
            return CompletableFuture.completedFuture(
                    accepted.size() == shipment.rows().size()
                            ? PublishResult.accepted(accepted.size())
                            : PublishResult.refused(accepted.size(), new IllegalStateException("refused by the test")));
        }

        @Override
        public void close() {}
    }
}
