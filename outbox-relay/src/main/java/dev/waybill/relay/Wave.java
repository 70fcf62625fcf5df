package dev.waybill.relay;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends the lanes' rows side by side; what a lane sends waits for what the same lane has sent before. */
record Wave(Outlet outlet, Leases leases) {

    /** Completes when the rows of every lane have met their fate or have failed. */
    CompletableFuture<Void> send(
            List<LaneRun> runs, Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh) {
        return CompletableFuture.allOf(
                runs.stream().map(run -> send(run, run.rows(late, fresh))).toArray(CompletableFuture[]::new));
    }

    /** Sends rows of one lane; says whether they have met their fate. */
    CompletableFuture<Boolean> send(LaneRun run, List<OutboxRow> rows) {
        return run.send(rows, free -> ship(run, free));
    }

    private CompletableFuture<PublishResult> ship(LaneRun run, List<OutboxRow> rows) {
        Lease lease = run.state().lease();
        return outlet.send(rows, () -> !run.isGivenUp() && leases.hasTimeLeft(lease));
    }
}
