package dev.waybill.relay;

import dev.waybill.outbox.WireContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The buckets this relay owns. The heartbeat renews, claims and gives up; the turns only look. Thread-safe.
 *
 * <p>A bucket above the fair share is <i>draining</i>: no turn starts on it any more, and once the turns that use it have
 * ended it is released, so that the next owner need not wait for the lease to run out.
 */
final class Leases {
    private final LeaseTable table;
    private final String name;
    private final Duration leaseDuration;
    private final long trustNanos;
    private final LongSupplier nanoTime;
    private final Map<Short, Lease> owned = new ConcurrentHashMap<>();
    private final Map<Short, Integer> inUse = new ConcurrentHashMap<>();
    private final Set<Short> draining = ConcurrentHashMap.newKeySet();
    private boolean known;

    /** @param leaseDuration how long the database grants; trusted here for three quarters of it */
    Leases(LeaseTable table, String name, Duration leaseDuration, LongSupplier nanoTime) {
        this.table = table;
        this.name = name;
        this.leaseDuration = leaseDuration;
        this.trustNanos = leaseDuration.toNanos() / 4 * 3;
        this.nanoTime = nanoTime;
    }

    /** One turn of the heartbeat: beat, renew, then claim up to the fair share or give up what is above it. */
    synchronized void beat() {
        table.beat(name);
        known = true;
        long askedAt = nanoTime.getAsLong();
        replaceOwned(table.renew(), askedAt);
        int share = fairShare(table.liveRelays());
        if (owned.size() < share) {
            claim(share - owned.size());
        } else {
            drain(owned.size() - share);
        }
        releaseDrained();
    }

    /** How long the database grants a lease. */
    Duration duration() {
        return leaseDuration;
    }

    /** Marks the buckets a turn is about to use, so that none is handed over under it. */
    synchronized List<Lease> use() {
        var leases = new ArrayList<Lease>();
        long now = nanoTime.getAsLong();
        for (Lease lease : owned.values()) {
            if (lease.hasTimeLeft(now) && !draining.contains(lease.bucket())) {
                inUse.merge(lease.bucket(), 1, Integer::sum);
                leases.add(lease);
            }
        }
        return leases;
    }

    synchronized void endUse(Collection<Lease> leases) {
        for (Lease lease : leases) {
            inUse.computeIfPresent(lease.bucket(), (bucket, turns) -> turns == 1 ? null : turns - 1);
        }
    }

    /** The lease as renewed last, if this epoch still is ours as far as we know. */
    Optional<Lease> current(Lease lease) {
        return Optional.ofNullable(owned.get(lease.bucket())).filter(now -> now.epoch() == lease.epoch());
    }

    boolean hasTimeLeft(Lease lease) {
        return current(lease)
                .filter(now -> now.hasTimeLeft(nanoTime.getAsLong()))
                .isPresent();
    }

    /** The database says that somebody else has the bucket. */
    void lost(Lease lease) {
        owned.computeIfPresent(lease.bucket(), (bucket, now) -> now.epoch() == lease.epoch() ? null : now);
    }

    Set<Short> ownedBuckets() {
        return Set.copyOf(owned.keySet());
    }

    /** Gives everything back. Only when no turn runs any more. */
    synchronized void releaseAll() {
        if (!owned.isEmpty()) {
            table.release(List.copyOf(owned.values()));
            owned.clear();
        }
        if (known) {
            table.leave();
        }
    }

    private static int fairShare(int liveRelays) {
        // None, if this relay was so slow that its own beat has run out by the time it counts.
        int relays = Math.max(1, liveRelays);
        return (WireContract.BUCKETS + relays - 1) / relays;
    }

    private void replaceOwned(Map<Short, Long> renewed, long askedAt) {
        owned.keySet().retainAll(renewed.keySet());
        draining.retainAll(renewed.keySet());
        renewed.forEach((bucket, epoch) -> {
            @Nullable Lease before = owned.get(bucket);
            boolean orphaned = before != null && before.epoch() == epoch && before.orphaned();
            owned.put(bucket, new Lease(bucket, epoch, askedAt + trustNanos, orphaned));
        });
    }

    private void claim(int most) {
        draining.clear();
        long askedAt = nanoTime.getAsLong();
        for (LeaseTable.Claim claim : table.claim(most)) {
            owned.put(claim.bucket(), new Lease(claim.bucket(), claim.epoch(), askedAt + trustNanos, claim.orphaned()));
        }
    }

    private void drain(int surplus) {
        draining.clear();
        owned.keySet().stream().sorted().limit(surplus).forEach(draining::add);
    }

    private void releaseDrained() {
        var idle = new HashSet<>(draining);
        idle.removeAll(inUse.keySet());
        var leases = owned.values().stream()
                .filter(lease -> idle.contains(lease.bucket()))
                .toList();
        if (!leases.isEmpty()) {
            table.release(leases);
            leases.forEach(lease -> owned.remove(lease.bucket()));
            draining.removeAll(idle);
        }
    }
}
