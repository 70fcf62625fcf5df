package dev.waybill.relay.loop;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.lease.Claim;
import dev.waybill.relay.send.DestinationLanes;

/** A destination that the relay owns: what it has in memory of it. Made by a claim, dropped when another relay owns it. */
final class Owned {
    private final Claim claim;
    private final DestinationLanes lanes;
    private final Caution caution;

    /** Read by publishers' threads. */
    private volatile boolean open = true;

    private volatile boolean lost;
    private boolean leaving;

    Owned(Claim claim, HoldPolicy policy) {
        this.claim = claim;
        lanes = new DestinationLanes(policy);
        caution = new Caution(claim);
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

    /** Whether its messages are sent one at a time. */
    Caution caution() {
        return caution;
    }

    /** As the last read has found it. */
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

    /** Another relay owns it, or the lease has lapsed: nothing more is sent or settled. */
    void lose() {
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /** It is to be given up: what is under way comes back and is settled, nothing more is sent. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }
}
