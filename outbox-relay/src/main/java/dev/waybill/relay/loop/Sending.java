package dev.waybill.relay.loop;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.lease.Claim;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.send.Batch;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Sends the next batch of each lane that has nothing in flight, and takes back what has come of it. Confined to the loop's thread. */
final class Sending {
    private static final long BATCH_BYTES = 1L << 20;

    private final Lease lease;
    private final Deaths deaths;
    private final int batchRows;
    private final Runnable onResult;
    private final Queue<Landed> results = new ConcurrentLinkedQueue<>();
    private long generation;
    private int inFlight;

    /** @param onResult told on a publisher's thread that something has come back */
    Sending(Lease lease, Deaths deaths, int batchRows, Runnable onResult) {
        this.lease = lease;
        this.deaths = deaths;
        this.batchRows = batchRows;
        this.onResult = onResult;
    }

    /** The generation of the lease under which the destinations are owned. */
    void under(long newGeneration) {
        generation = newGeneration;
    }

    /** Whether nothing of any destination is under way. */
    boolean isQuiet() {
        return inFlight == 0;
    }

    /** Takes what has come back; returns how many messages were accepted. */
    int land() {
        int accepted = 0;
        for (Landed landed = results.poll(); landed != null; landed = results.poll()) {
            inFlight--;
            accepted += land(landed);
        }
        return accepted;
    }

    private int land(Landed landed) {
        Owned owned = landed.owned();
        int count = owned.lanes().land(landed.batch(), landed.result());
        landed.destination().published(count);
        if (owned.caution().pass(count, !owned.lanes().isWaiting())) {
            deaths.clear(owned.destination(), owned.epoch());
        }
        return count;
    }

    /** Sends what may be sent. */
    void send(Collection<Destination> owned) {
        if (!lease.isTrustedSince(generation)) {
            return;
        }
        Optional<Destination> suspicious = owned.stream()
                .filter(destination -> isReady(destination) && destination.mine().caution().isSuspicious())
                .findFirst();
        if (suspicious.isPresent()) {
            sendAlone(suspicious.get());
        } else {
            owned.stream().filter(this::isReady).forEach(this::sendAll);
        }
    }

    private boolean isReady(Destination destination) {
        return destination.mine().isServed() && destination.backOff().isZero();
    }

    private void sendAll(Destination destination) {
        Owned owned = destination.mine();
        boolean probes = destination.sender().breaker().trouble() != null;
        List<Batch> batches =
                probes ? owned.lanes().beginOne() : owned.lanes().begin(batchRows, BATCH_BYTES);
        batches.forEach(batch -> send(destination, owned, batch));
    }

    // Nothing else is in flight: if the process dies now, it is this message that it died with.
    private void sendAlone(Destination destination) {
        if (!isQuiet()) {
            return;
        }
        Owned owned = destination.mine();
        for (Batch batch : owned.lanes().beginOne()) {
            OutboxRow row = batch.rows().get(0);
            if (owned.caution().isDeadly(row)) {
                owned.lanes().refuseFirst(batch, owned.caution().cause());
            } else if (deaths.suspect(owned.destination(), owned.epoch(), row)) {
                send(destination, owned, batch);
            } else {
                owned.lose();
            }
        }
    }

    private void send(Destination destination, Owned owned, Batch batch) {
        inFlight++;
        long since = generation;
        var unused = destination
                .sender()
                .send(batch.rows(), () -> owned.isOpen() && lease.isTrustedSince(since), entity(owned.claim()))
                .thenAccept(result -> {
                    results.add(new Landed(destination, owned, batch, result));
                    onResult.run();
                });
    }

    private static dev.waybill.relay.Publisher.@Nullable Entity entity(Claim claim) {
        return claim.entity().orElse(null);
    }
}
