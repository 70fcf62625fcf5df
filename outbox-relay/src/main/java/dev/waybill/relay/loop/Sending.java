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
    private final Deaths deaths;
    private final int batchRows;
    private final Runnable onResult;
    private final Queue<Landed> results = new ConcurrentLinkedQueue<>();
    private long generation;
    private int inFlight;

    /** The owner of the message in isolation, as long as a crash would count against it. */
    private @Nullable Owned suspect;

    /** @param onResult called on a publisher's thread */
    Sending(Lease lease, Deaths deaths, int batchRows, Runnable onResult) {
        this.lease = lease;
        this.deaths = deaths;
        this.batchRows = batchRows;
        this.onResult = onResult;
    }

    private record Landed(Destination destination, Owned owned, Batch batch, PublishResult result) {}

    /** Sets the lease's generation under which the destinations are owned. */
    void under(long newGeneration) {
        generation = newGeneration;
    }

    boolean isQuiet() {
        return inFlight == 0;
    }

    /** Collects results; returns the number of accepted messages. */
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
        landed.destination()
                .log()
                .sent(landed.result(), landed.destination().sender().breaker());
        owned.caution().pass(count);
        return count;
    }

    /** Clears recorded deaths where all messages pending at the takeover are sent. */
    void forgetDeaths(Collection<Destination> owned) {
        for (Destination destination : owned) {
            Owned mine = destination.mine();
            if (mine.caution().ends(mine.lanes().lowest())) {
                deaths.clear(mine.destination(), mine.epoch());
            }
        }
    }

    /** Whether a message is in isolation, or will be: no other send may begin. */
    boolean isCautious(Collection<Destination> owned) {
        return isAlone() || owned.stream().anyMatch(this::isSuspicious);
    }

    private boolean isAlone() {
        return suspect != null && suspect.lanes().isSending() && !isQuiet();
    }

    private boolean isSuspicious(Destination destination) {
        Owned owned = destination.mine();
        return owned.caution().isSuspicious() && owned.lanes().isWaiting() && isReady(destination);
    }

    /** @param quiet whether nothing is in flight beside these sends */
    void send(Collection<Destination> owned, boolean quiet) {
        if (!lease.isTrustedSince(generation) || isAlone()) {
            return;
        }
        List<Destination> suspicious = owned.stream().filter(this::isSuspicious).toList();
        if (!suspicious.isEmpty() && !(quiet && isQuiet())) {
            return;
        }
        for (Destination destination : suspicious) {
            if (sendAlone(destination)) {
                return;
            }
        }
        owned.stream()
                .filter(destination -> isReady(destination)
                        && destination.mine().lanes().isWaiting()
                        && !destination.mine().caution().isSuspicious())
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
        List<Batch> batches = breaker.trouble() != null
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
            if (owned.caution().isDeadly(row)) {
                owned.lanes().refuseFirst(batch, owned.caution().cause());
            } else if (deaths.suspect(owned.destination(), owned.epoch(), row)) {
                suspect = owned;
                send(destination, owned, batch);
                return true;
            } else {
                owned.lanes().land(batch, PublishResult.notSent());
            }
        }
        return false;
    }

    // The message in isolation has returned, and another send is about to begin.
    private void survive(@Nullable Owned next) {
        Owned before = suspect;
        if (before != null && before != next) {
            suspect = null;
            if (before.caution().isSuspicious()) {
                deaths.survive(before.destination(), before.epoch());
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
                    results.add(new Landed(destination, owned, batch, result));
                    onResult.run();
                });
    }
}
