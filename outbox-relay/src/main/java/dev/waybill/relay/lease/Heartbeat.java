package dev.waybill.relay.lease;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the lease of a relay and reports what its loop does. It has a connection of its own, so that no work of the loop delays
 * it. Thread-safe; one thread calls {@link #step}.
 */
public final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final RelayTable table;
    private final Lease lease;
    private final LoopProgress progress;
    private final LongSupplier nanoTime;
    private final Fault fault;
    private boolean moved;
    private boolean hanging;
    private boolean stopped;

    /** The heartbeat of a relay that has no row yet. */
    public Heartbeat(RelayTable table, Lease lease, LoopProgress progress, LongSupplier nanoTime) {
        this.table = table;
        this.lease = lease;
        this.progress = progress;
        this.nanoTime = nanoTime;
        fault = new Fault(LOG, nanoTime);
    }

    /** The failures of heartbeats. */
    public Fault fault() {
        return fault;
    }

    /** Beats once and says how long to wait; a failure is logged and waited out, never thrown. */
    public Duration step() {
        try {
            beat();
            fault.over("The heartbeat is back");
            return lease.duration().dividedBy(3);
        } catch (RuntimeException e) {
            fault.met("The heartbeat failed; destinations whose lease runs out stand still until it succeeds", e);
            return lease.duration().dividedBy(10);
        }
    }

    /**
     * Beats once.
     *
     * @throws RuntimeException if the database fails
     */
    public synchronized void beat() {
        if (stopped) {
            return;
        }
        Report report = progress.report();
        // The loop must not trust its lease by the time that others read of it.
        if (!report.moves()) {
            lease.lapse();
        }
        long askedAt = nanoTime.getAsLong();
        if (!extended(report)) {
            beginAnew(report);
        }
        if (report.moves()) {
            lease.trust(askedAt);
        }
        tellChange(report);
    }

    // A relay whose loop has hung shows it under its old id, and gets a new one when the loop moves again.
    private boolean extended(Report report) {
        @Nullable UUID id = lease.id();
        return id != null && !(report.moves() && lease.isSpent()) && table.renew(id, lease.duration(), report);
    }

    private void beginAnew(Report report) {
        @Nullable UUID former = lease.id();
        lease.lapse();
        UUID id = UUID.randomUUID();
        table.insert(id, former, lease.duration(), report);
        lease.renewAs(id);
        if (former != null) {
            LOG.info("The relay goes on as {}: its lease as {} is over, and what it owned is claimed anew", id, former);
        }
    }

    private void tellChange(Report report) {
        if (report.moves() && hanging) {
            LOG.info("The loop moves again");
        }
        boolean told = report.states().stream().anyMatch(state -> isTold(state.state()));
        hanging = !report.moves() && (hanging || (moved && !told));
        if (hanging && moved) {
            LOG.warn("The loop does not move; other relays may take its destinations");
        }
        moved = report.moves();
    }

    // A loop that stands still and has said so.
    private static boolean isTold(String state) {
        return state.equals(LoopProgress.FAILING) || state.equals(LoopProgress.NOT_AT_WORK);
    }

    /**
     * Ends the relay: its row goes, and no heartbeat makes another. A failure is logged.
     *
     * @param freeAfter how long destinations that the loop could not release are kept from others
     */
    public synchronized void stop(Duration freeAfter) {
        stopped = true;
        lease.lapse();
        @Nullable UUID id = lease.id();
        if (id == null) {
            return;
        }
        try {
            table.delete(id, freeAfter);
        } catch (RuntimeException e) {
            LOG.warn("The relay could not sign off; others take over when its lease has run out: {}", RootCause.of(e));
        }
    }
}
