package dev.waybill.relay;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends the lanes' rows side by side; what a lane sends waits for what the same lane has sent before. */
record Wave(Outlet outlet, Leases leases) {

    /** Completes when the rows of every lane have met their fate or have failed. */
    CompletableFuture<Void> send(
            List<LaneRun> runs, Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh) {
        return CompletableFuture.allOf(runs.stream()
                .map(run -> run.send(run.rows(late, fresh), rows -> ship(run, rows)))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<PublishResult> ship(LaneRun run, List<OutboxRow> rows) {
        Lease lease = run.state().lease();
        return outlet.send(rows, () -> !run.isGivenUp() && leases.hasTimeLeft(lease));
    }
}
