package dev.waybill.supervision;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database outage, logged once for all loops: one line with address and root cause, one for each other cause, and one at its
 * end. It ends when all awaited loops work again. Thread-safe.
 */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    /** During this time a loop may still find its old connection broken. */
    private static final Duration CALM = Duration.ofMillis(500);

    private final String user;
    private final Fault fault;
    private final Set<Fault> failing = new HashSet<>();
    private volatile boolean open;
    private String address = "";

    /** @param user who needs the database, such as "relay 'one'" */
    public Outage(String user, LongSupplier nanos) {
        this.user = user;
        this.fault = Fault.intermittent(CALM, LOG, nanos);
    }

    /** Sets hosts and name of the database, without secrets. */
    public synchronized void at(String newAddress) {
        address = newAddress;
    }

    /** Whether this outage logs a failure, and not the loop. A loop that is not awaited may join an outage but begins none. */
    boolean covers(Throwable failure, boolean waitedFor) {
        if (open) {
            return RootCause.isOutage(failure) || RootCause.isOfDatabase(failure);
        }
        return RootCause.isOutage(failure) && (waitedFor || !RootCause.isLoss(failure));
    }

    synchronized void failed(Fault loop, boolean waitedFor, String why) {
        open = true;
        if (waitedFor) {
            failing.add(loop);
        }
        fault.failed(database() + " cannot be used, and " + user + " waits for it", why);
    }

    /** A loop has recovered; returns whether the outage lasts. */
    synchronized boolean isStill(Fault loop) {
        failing.remove(loop);
        if (open && failing.isEmpty()) {
            open = fault.isStill(database() + " can be used again, and " + user + " goes on,");
        }
        return open;
    }

    private String database() {
        return address.isEmpty() ? "The database" : "The database at " + address;
    }
}
