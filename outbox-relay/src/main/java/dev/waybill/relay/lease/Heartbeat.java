package dev.waybill.relay.lease;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Extends the lease and reports the loop's states, on its own connection. Thread-safe. */
public final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    /** For other places of its destinations, after its own are known. */
    private static final int LOOKS = 5;

    private final RelayTable table;
    private final Lease lease;
    private final LoopProgress progress;
    private final LongSupplier nanoTime;
    private final Fault fault;
    private boolean moved;
    private boolean hanging;
    private boolean stopped;

    /** The places that were last compared with those of other relays. */
    private List<String> places = List.of();

    private int looks;

    public Heartbeat(RelayTable table, Lease lease, LoopProgress progress, LongSupplier nanoTime) {
        this.table = table;
        this.lease = lease;
        this.progress = progress;
        this.nanoTime = nanoTime;
        fault = new Fault(LOG, nanoTime);
    }

    public Fault fault() {
        return fault;
    }

    /** Returns the pause until the next heartbeat. Logs a failure instead of throwing it. */
    public Duration step() {
        try {
            beat();
            fault.recovered("The heartbeat succeeds again");
            return lease.duration().dividedBy(3);
        } catch (RuntimeException e) {
            fault.failed("The heartbeat failed; once the lease expires, this relay sends nothing until it succeeds", e);
            return lease.duration().dividedBy(10);
        }
    }

    public synchronized void beat() {
        if (stopped) {
            return;
        }
        Report report = progress.report();
        // The loop must stop trusting its lease before others read that it hangs.
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
        tellDivided(report);
    }

    // The other relay may not serve yet at the first of these heartbeats.
    private void tellDivided(Report report) {
        List<String> now = table.places(report);
        if (!now.equals(places)) {
            places = now;
            looks = LOOKS;
        }
        if (looks == 0) {
            return;
        }
        looks--;
        table.divided(report).forEach((destination, detail) -> {
            looks = 0;
            LOG.warn(
                    "Relays of '{}' are configured against each other: {}. Stop the one with the wrong configuration",
                    destination,
                    detail);
        });
    }

    // A relay with a hanging loop reports it under its old id, and gets a new id when the loop runs again.
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
            LOG.info(
                    "The relay continues as {}: its lease as {} expired, and it claims its destinations again",
                    id,
                    former);
        }
    }

    private void tellChange(Report report) {
        if (report.moves() && hanging) {
            LOG.info("The loop runs again");
        }
        boolean told = report.states().stream().anyMatch(state -> isTold(state.state()));
        hanging = !report.moves() && (hanging || (moved && !told));
        if (hanging && moved) {
            LOG.warn("The loop hangs; other relays may take over its destinations");
        }
        moved = report.moves();
    }

    // Whether the loop has logged itself why it does not run.
    private static boolean isTold(String state) {
        return state.equals(LoopProgress.FAILING) || state.equals(LoopProgress.NOT_AT_WORK);
    }

    /** Deletes the relay's row, and lets no relay claim its destinations for {@code freeAfter}. Logs a failure. */
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
            LOG.warn(
                    "The relay could not deregister; other relays take over when its lease expires: {}",
                    RootCause.of(e));
        }
    }
}
