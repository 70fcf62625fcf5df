package dev.waybill.relay.loop;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.send.Batch;
import dev.waybill.relay.send.Breaker;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Sends the next batch of each idle lane and collects results. Confined to the loop's thread. */
final class Sending {
    private static final long BATCH_BYTES = 1L << 20;

    private final Lease lease;
    private final IsolationRecord record;
    private final int batchRows;
    private final Runnable onResult;
    private final Queue<Returned> results = new ConcurrentLinkedQueue<>();
    private long generation;
    private int inFlight;

    /** The owner of the message in isolation, as long as a crash would count against it. */
    private @Nullable Owned suspect;

    /** @param onResult called on a publisher's thread */
    Sending(Lease lease, IsolationRecord record, int batchRows, Runnable onResult) {
        this.lease = lease;
        this.record = record;
        this.batchRows = batchRows;
        this.onResult = onResult;
    }

    private record Returned(Destination destination, Owned owned, Batch batch, PublishResult result) {}

    /** Sets the lease's generation under which the destinations are owned. */
    void under(long newGeneration) {
        generation = newGeneration;
    }

    boolean isQuiet() {
        return inFlight == 0;
    }

    /** Collects results; returns the number of accepted messages. */
    int collect() {
        int accepted = 0;
        for (Returned returned = results.poll(); returned != null; returned = results.poll()) {
            inFlight--;
            accepted += collect(returned);
        }
        return accepted;
    }

    private int collect(Returned returned) {
        Owned owned = returned.owned();
        int count = owned.lanes().collect(returned.batch(), returned.result());
        returned.destination().published(count);
        returned.destination()
                .log()
                .sent(returned.result(), returned.destination().sender().breaker());
        owned.isolation().pass(count);
        return count;
    }

    /** Clears recorded deaths where all messages pending at the takeover are sent. */
    void clearDeaths(Collection<Destination> owned) {
        for (Destination destination : owned) {
            Owned mine = destination.mine();
            if (mine.isolation().ends(mine.lanes().lowest())) {
                record.clear(mine.destination(), mine.epoch());
            }
        }
    }

    /** Whether a message is in isolation, or will be: no other send may begin. */
    boolean isIsolating(Collection<Destination> owned) {
        return isAlone() || owned.stream().anyMatch(this::needsIsolation);
    }

    private boolean isAlone() {
        return suspect != null && suspect.lanes().isSending() && !isQuiet();
    }

    private boolean needsIsolation(Destination destination) {
        Owned owned = destination.mine();
        return owned.isolation().isActive() && owned.lanes().isWaiting() && isReady(destination);
    }

    /** @param quiet whether nothing is in flight beside these sends */
    void send(Collection<Destination> owned, boolean quiet) {
        if (!lease.isTrustedSince(generation) || isAlone()) {
            return;
        }
        List<Destination> isolated = owned.stream().filter(this::needsIsolation).toList();
        if (!isolated.isEmpty() && !(quiet && isQuiet())) {
            return;
        }
        for (Destination destination : isolated) {
            if (sendAlone(destination)) {
                return;
            }
        }
        owned.stream()
                .filter(destination -> isReady(destination)
                        && destination.mine().lanes().isWaiting()
                        && !destination.mine().isolation().isActive())
                .forEach(this::sendAll);
    }

    private boolean isReady(Destination destination) {
        return destination.mine().isServed() && destination.backOff().isZero();
    }

    private void sendAll(Destination destination) {
        survive(null);
        Owned owned = destination.mine();
        Breaker breaker = destination.sender().breaker();
        if (breaker.isProbing()) {
            return;
        }
        List<Batch> batches = breaker.lastFailure() != null
                ? owned.lanes().beginOne()
                : owned.lanes().begin(batchRows, BATCH_BYTES);
        batches.forEach(batch -> send(destination, owned, batch));
    }

    // With nothing else in flight, a crash now counts against this message.
    private boolean sendAlone(Destination destination) {
        Owned owned = destination.mine();
        survive(owned);
        for (Batch batch : owned.lanes().beginOne()) {
            OutboxRow row = batch.rows().get(0);
            if (owned.isolation().isDeadly(row)) {
                owned.lanes().refuseFirst(batch, owned.isolation().cause());
            } else if (record.begin(owned.destination(), owned.epoch(), row)) {
                suspect = owned;
                send(destination, owned, batch);
                return true;
            } else {
                owned.lanes().collect(batch, PublishResult.notSent());
            }
        }
        return false;
    }

    // The message in isolation has returned, and another send is about to begin.
    private void survive(@Nullable Owned next) {
        Owned before = suspect;
        if (before != null && before != next) {
            suspect = null;
            if (before.isolation().isActive()) {
                record.end(before.destination(), before.epoch());
            }
        }
    }

    private void send(Destination destination, Owned owned, Batch batch) {
        inFlight++;
        long since = generation;
        var unused = destination
                .sender()
                .send(
                        batch.rows(),
                        () -> owned.isOpen() && lease.isTrustedSince(since),
                        owned.claim().entity())
                .thenAccept(result -> {
                    results.add(new Returned(destination, owned, batch, result));
                    onResult.run();
                });
    }
}
