package dev.waybill.relay.loop;

import dev.waybill.relay.lease.Balance;
import dev.waybill.relay.lease.Claim;
import dev.waybill.relay.lease.DestinationTable;
import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.Members;
import dev.waybill.relay.read.Floors;
import dev.waybill.schema.Locking;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Claims and releases destinations. Confined to the loop's thread. */
final class Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

    /** The interval while another relay owns a served destination, and might die. */
    private static final long INTERVAL = Duration.ofMillis(500).toNanos();

    /** The interval while this relay owns all its destinations; new relays send a notification. */
    private static final long CALM_INTERVAL = Duration.ofSeconds(5).toNanos();

    /** The interval before the first heartbeat. */
    private static final long UNTIL_TRUSTED = Duration.ofMillis(50).toNanos();

    private final DestinationTable table;
    private final Lease lease;
    private final Floors floors;
    private final LongSupplier nanoTime;
    private final Runnable announce;
    private final Level level;
    private long dueAt;
    private long releaseAt;
    private boolean sequenceUnchecked;

    /** {@code announce} notifies other relays of a free destination; {@code level} is that of claims and releases in the log. */
    Ownership(
            DestinationTable table, Lease lease, Floors floors, LongSupplier nanoTime, Runnable announce, Level level) {
        this.table = table;
        this.lease = lease;
        this.floors = floors;
        this.nanoTime = nanoTime;
        this.announce = announce;
        this.level = level;
        dueAt = nanoTime.getAsLong();
        releaseAt = dueAt;
    }

    /** A relay has come or gone. */
    void wake() {
        dueAt = nanoTime.getAsLong();
    }

    /** Another server runs the database: its sequence may be behind what waits, as a claim checks it. */
    void checkSequence() {
        sequenceUnchecked = true;
        wake();
    }

    long dueIn() {
        return Math.max(0, dueAt - nanoTime.getAsLong());
    }

    /** Reads the members if due, then claims and releases. */
    void step(Map<String, Destination> served) {
        if (dueIn() > 0) {
            return;
        }
        if (!lease.isTrusted()) {
            dueAt = nanoTime.getAsLong() + UNTIL_TRUSTED;
            return;
        }
        Members members = table.members(served.keySet());
        Set<String> held =
                owned(served.values()).stream().map(Destination::name).collect(Collectors.toSet());
        if (sequenceUnchecked) {
            if (table.raiseSequence(held)) {
                tellRaised(String.join("', '", held));
            }
            sequenceUnchecked = false;
        }
        Balance balance = Balance.of(members, lease.relay(), held);
        balance.surplus().forEach(name -> named(served, name).mine().leave());
        Balance.withheld(members, lease.relay()).stream()
                .filter(held::contains)
                .forEach(name -> named(served, name).mine().leave());
        List<String> wanted = balance.claims().stream()
                .filter(name -> served.containsKey(name) && named(served, name).isPrepared())
                .toList();
        table.claim(lease.relay(), wanted).forEach(claim -> own(named(served, claim.destination()), claim));
        boolean all = served.values().stream().allMatch(destination -> destination.owned() != null);
        dueAt = nanoTime.getAsLong() + (all ? CALM_INTERVAL : INTERVAL);
    }

    private static Destination named(Map<String, Destination> served, String name) {
        return Objects.requireNonNull(served.get(name));
    }

    private void own(Destination destination, Claim claim) {
        floors.forget(claim.destination());
        destination.sender().breaker().restart();
        destination.owned(new Owned(claim, destination.sender().policy(), nanoTime));
        destination.schedule().wake(nanoTime.getAsLong());
        LOG.atLevel(level)
                .log(
                        "'{}' is published by this relay now, epoch {}{}",
                        claim.destination(),
                        claim.epoch(),
                        claim.previous().died() ? ", taken over from a dead relay" : "");
        if (claim.sequenceRaised()) {
            tellRaised(claim.destination());
        }
    }

    private static void tellRaised(String destinations) {
        LOG.error(
                "The sequence outbox_seq was behind pending messages of '{}' and was raised. The database was restored or"
                        + " moved without its sequences; messages appended since then may be out of order",
                destinations);
    }

    /** Releases a destination unless its row is locked; no relay may claim it for {@code freeAfter}. */
    void release(Destination destination, Duration freeAfter) {
        Owned owned = destination.mine();
        if (nanoTime.getAsLong() - releaseAt < 0) {
            return;
        }
        try {
            if (table.release(lease.relay(), owned.destination(), owned.epoch(), freeAfter)) {
                LOG.atLevel(level).log("'{}' is released", owned.destination());
            }
        } catch (DataAccessException e) {
            if (!Locking.isTimeout(e.sqlState())) {
                throw e;
            }
            LOG.debug("'{}' is locked and cannot be released yet", owned.destination(), e);
            releaseAt = nanoTime.getAsLong() + INTERVAL;
            return;
        }
        drop(destination);
        announce.run();
        dueAt = nanoTime.getAsLong() + INTERVAL;
    }

    /** Another relay owns the destination, or may own it. */
    void drop(Destination destination) {
        floors.forget(destination.name());
        destination.owned(null);
    }

    static List<Destination> owned(Collection<Destination> served) {
        return served.stream()
                .filter(destination -> destination.owned() != null)
                .toList();
    }
}
