package dev.waybill.supervision;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that cannot be used, told once for all loops that need it: in one line with its address and the root cause, once
 * more for each other cause, and at its end with its length. Over when every loop that is waited for works again. Thread-safe.
 */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    /** Until then a loop may still find its old connection broken. */
    private static final Duration CALM = Duration.ofMillis(500);

    private final String user;
    private final Fault fault;
    private final Set<Fault> failing = new HashSet<>();
    private volatile boolean open;
    private String address = "";

    /**
     * None yet.
     *
     * @param user who waits for the database, as in "relay 'one'"
     */
    public Outage(String user, LongSupplier nanos) {
        this.user = user;
        this.fault = Fault.over(CALM, LOG, nanos);
    }

    /** Where the database is, when that is known: hosts and name, no secret. */
    public synchronized void at(String newAddress) {
        address = newAddress;
    }

    /**
     * Whether a failure is told by this outage and not by the loop that has met it. A loop that nobody waits for may have lost its
     * connection alone: that joins an outage and begins none.
     */
    boolean takes(Throwable failure, boolean waitedFor) {
        if (open) {
            return RootCause.isOutage(failure) || RootCause.isOfDatabase(failure);
        }
        return RootCause.isOutage(failure) && (waitedFor || !RootCause.isLoss(failure));
    }

    synchronized void met(Fault loop, boolean waitedFor, String why) {
        open = true;
        if (waitedFor) {
            failing.add(loop);
        }
        fault.met(database() + " cannot be used, and " + user + " waits for it", why);
    }

    /** A loop that has failed has worked; returns whether the outage lasts all the same. */
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
