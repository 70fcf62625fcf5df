package dev.waybill.relay;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Gives a loop's rows to the publisher, as long as its leases are valid. Thread-safe. */
record Shipping(Outlet outlet, Liveness liveness, Runnable onArrival) {

    /** How the rows of a run are sent. */
    Function<List<OutboxRow>, CompletableFuture<PublishResult>> of(LaneRun run) {
        return rows -> outlet.send(rows, () -> !run.isGivenUp() && liveness.isTrusted());
    }

    /** Sends a run's rows and calls the loop when they have met their fate. */
    void start(LaneRun run) {
        var unused = run.send(of(run)).whenComplete((whole, thrown) -> onArrival.run());
    }
}
