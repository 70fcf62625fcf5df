package dev.waybill.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends the lanes' rows side by side and waits for all of them. */
record Wave(String destination, Publisher publisher, Leases leases) {

    void send(List<LaneRun> runs, Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh) {
        var results = new ArrayList<CompletableFuture<?>>();
        for (LaneRun run : runs) {
            List<OutboxRow> rows = run.rows(late, fresh);
            if (!rows.isEmpty()) {
                results.add(ship(run, rows).thenAccept(result -> run.add(result, rows)));
            }
        }
        CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).join();
    }

    private CompletableFuture<PublishResult> ship(LaneRun run, List<OutboxRow> rows) {
        Lease lease = run.state().lease();
        var shipment = new Publisher.Shipment(destination, rows, () -> leases.hasTimeLeft(lease));
        return publisher.publish(shipment).toCompletableFuture();
    }
}
