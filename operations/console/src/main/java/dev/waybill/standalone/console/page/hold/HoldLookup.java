package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import javax.sql.DataSource;

/** Finds the hold that a request names. */
public final class HoldLookup {
    private HoldLookup() {}

    public static Holds holds(DataSource pool, Database database, HoldSide side) {
        return side == HoldSide.OUTBOX
                ? Holds.ofOutbox(pool, database.schema())
                : InboxHolds.in(pool, database.schema());
    }

    public static Hold hold(Holds holds, long id) {
        return holds.show(id)
                .orElseThrow(() -> new Refusal(404, "There is no such hold: it has ended, or it never existed."));
    }

    public static HoldSide side(String word) {
        return switch (word) {
            case "", "outbox" -> HoldSide.OUTBOX;
            case "inbox" -> HoldSide.INBOX;
            default -> throw new Refusal(400, "Messages are held in the outbox or in the inbox.");
        };
    }

    public static String word(HoldSide side) {
        return side == HoldSide.OUTBOX ? "outbox" : "inbox";
    }
}
