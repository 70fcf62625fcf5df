package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.lease.Claim;

/**
 * Isolates messages of a destination whose owners keep dying. After three deaths in a row with pending messages, the relay
 * sends messages one at a time and records each before. A message with which two owners in a row died is held. Isolation ends
 * after 100 messages.
 *
 * <p>Deaths count until all messages that were pending at the takeover are sent. Confined to the loop's thread.
 */
final class Isolation {
    private static final int DEATHS = 3;
    private static final int DEATHS_OF_ONE = 2;
    private static final int ENOUGH = 100;

    private final Claim claim;
    private boolean counted;
    private boolean active;
    private long waited = -1;
    private int passed;

    Isolation(Claim claim) {
        this.claim = claim;
        counted = claim.previous().deaths() > 0;
        active = claim.previous().deaths() >= DEATHS;
    }

    boolean isActive() {
        return active;
    }

    /** Whether two owners in a row died while they sent this message in isolation. */
    boolean isDeadly(OutboxRow row) {
        return claim.previous()
                .suspect()
                .filter(suspect -> suspect.deaths() >= DEATHS_OF_ONE
                        && suspect.seq() == row.seq()
                        && suspect.messageId().equals(row.messageId()))
                .isPresent();
    }

    Cause cause() {
        return new Cause(
                "DeadlyMessage",
                "Two relays in a row crashed while they sent this message alone, after "
                        + claim.previous().deaths()
                        + " relays had crashed while messages of the destination were pending");
    }

    /** A read has returned all pending rows up to this sequence value. */
    void read(long lastValue) {
        if (waited < 0) {
            waited = lastValue;
        }
    }

    void pass(int messages) {
        passed += messages;
    }

    /** Whether deaths stop counting now; true once. {@code lowest} is the lowest value in memory. */
    boolean ends(long lowest) {
        boolean all = waited >= 0 && lowest > waited;
        boolean ends = counted && (all || (active && passed >= ENOUGH));
        if (ends) {
            counted = false;
            active = false;
        }
        return ends;
    }
}
