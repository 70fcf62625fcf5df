package dev.waybill.relay.loop;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.lease.Claim;
import dev.waybill.relay.send.DestinationLanes;
import java.util.function.LongSupplier;

/** An owned destination and its rows in memory. Created by a claim, dropped when the ownership ends. */
final class Owned {
    private final Claim claim;
    private final DestinationLanes lanes;
    private final Isolation isolation;

    /** Publishers' threads read these. */
    private volatile boolean open = true;

    private volatile boolean lost;
    private boolean leaving;

    Owned(Claim claim, HoldPolicy policy, LongSupplier nanoTime) {
        this.claim = claim;
        lanes = new DestinationLanes(policy, nanoTime);
        isolation = new Isolation(claim);
    }

    String destination() {
        return claim.destination();
    }

    Claim claim() {
        return claim;
    }

    long epoch() {
        return claim.epoch();
    }

    DestinationLanes lanes() {
        return lanes;
    }

    Isolation isolation() {
        return isolation;
    }

    /** Whether the last read found the destination neither paused nor in migration. */
    void open(boolean isOpen) {
        open = isOpen;
    }

    boolean isOpen() {
        return open && !lost;
    }

    /** Whether its messages may be read and sent. */
    boolean isServed() {
        return isOpen() && !leaving;
    }

    /** The lease or the destination is lost: the relay sends and settles nothing more. */
    void lose() {
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /** The destination is to be released after sends in flight are settled. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }
}
