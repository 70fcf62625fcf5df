package dev.waybill.relay;

import dev.waybill.relay.Publisher.Entity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives a loop's rows to the publisher, as long as its leases are valid. Thread-safe.
 *
 * @param knownLapses how many lapses the loop has met; asked on its thread
 * @param entity where the lanes of the loop are sent to; asked on its thread
 */
record Shipping(
        DestinationSender sender,
        Liveness liveness,
        IntSupplier knownLapses,
        Supplier<Optional<Entity>> entity,
        Runnable onArrival) {

    /** How the rows of a run are sent: not after a lapse that came while they were, for the lane may be another's since. */
    Function<List<OutboxRow>, CompletableFuture<PublishResult>> of(LanePage run) {
        int known = knownLapses.getAsInt();
        @Nullable Entity to = entity.get().orElse(null);
        return rows -> sender.send(rows, () -> !run.isGivenUp() && liveness.isTrustedSince(known), to);
    }

    /** Sends a run's rows and calls the loop when they have met their fate. */
    void start(LanePage run) {
        var unused = run.send(of(run)).whenComplete((whole, thrown) -> onArrival.run());
    }
}
