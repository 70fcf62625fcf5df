package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.lease.Claim;

/**
 * Whether messages of a destination are sent one at a time, because its owners keep dying: after the third death in a row while
 * messages waited, until as many as a page have got through. The message that is sent alone is written down before. One that two
 * owners in a row have died with is not sent any more.
 *
 * <p>Deaths count until everything has got through that waited when the relay took over: other messages of the destination get
 * through in each life. Confined to the loop's thread.
 */
final class Caution {
    private static final int DEATHS = 3;
    private static final int DEATHS_OF_ONE = 2;
    private static final int ENOUGH = 100;

    private final Claim claim;
    private boolean counted;
    private boolean suspicious;
    private long waited = -1;
    private int passed;

    Caution(Claim claim) {
        this.claim = claim;
        counted = claim.previous().deaths() > 0;
        suspicious = claim.previous().deaths() >= DEATHS;
    }

    boolean isSuspicious() {
        return suspicious;
    }

    /** Whether two owners in a row died while they sent this very message, and nothing else. */
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
                "Two relays in a row ended while they sent this message alone, after "
                        + claim.previous().deaths() + " relays had ended while messages of the destination waited");
    }

    /** A read has brought what waits, up to this value of the sequence. */
    void read(long lastValue) {
        if (waited < 0) {
            waited = lastValue;
        }
    }

    /** Messages got through. */
    void pass(int messages) {
        passed += messages;
    }

    /**
     * Whether the deaths count no more; true once.
     *
     * @param lowest the lowest value in memory
     */
    boolean ends(long lowest) {
        boolean all = waited >= 0 && lowest > waited;
        boolean ends = counted && (all || (suspicious && passed >= ENOUGH));
        if (ends) {
            counted = false;
            suspicious = false;
        }
        return ends;
    }
}
