package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.lease.Claim;

/**
 * Whether messages of a destination are sent one at a time, because its owners keep dying: after the third death in a row while
 * messages waited, until as many as a page have got through. The message that is sent alone is written down before. One that two
 * owners in a row have died with is not sent any more. Confined to the loop's thread.
 */
final class Caution {
    private static final int DEATHS = 3;
    private static final int DEATHS_OF_ONE = 2;
    private static final int ENOUGH = 100;

    private final Claim claim;
    private boolean counted;
    private boolean suspicious;
    private int passed;

    Caution(Claim claim) {
        this.claim = claim;
        counted = claim.deaths() > 0;
        suspicious = claim.deaths() >= DEATHS;
    }

    boolean isSuspicious() {
        return suspicious;
    }

    /** Whether two owners in a row died while they sent this very message, and nothing else. */
    boolean isDeadly(OutboxRow row) {
        return claim.suspect()
                .filter(suspect -> suspect.deaths() >= DEATHS_OF_ONE
                        && suspect.seq() == row.seq()
                        && suspect.messageId().equals(row.messageId()))
                .isPresent();
    }

    Cause cause() {
        return new Cause(
                "DeadlyMessage",
                "Two relays in a row ended while they sent this message alone, after " + claim.deaths()
                        + " relays had ended while messages of the destination waited");
    }

    /**
     * Messages got through.
     *
     * @param none whether no other waits
     * @return whether the deaths count no more
     */
    boolean pass(int messages, boolean none) {
        passed += messages;
        boolean ends = counted && passed > 0 && (!suspicious || none || passed >= ENOUGH);
        if (ends) {
            counted = false;
            suspicious = false;
        }
        return ends;
    }
}
