package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldTally;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import javax.sql.DataSource;

/** A deed for many parked holds, and the choice of them. Immutable. */
public final class HoldBulkRequest {
    private final HoldBulkAction deed;
    private final HeldFilter filter;

    private HoldBulkRequest(HoldBulkAction deed, HeldFilter filter) {
        this.deed = deed;
        this.filter = filter;
    }

    /** As the address says it. */
    public static HoldBulkRequest of(Context request) {
        return new HoldBulkRequest(HoldBulkAction.of(Forms.parameter(request, "deed")), HeldFilter.of(request));
    }

    HoldBulkAction deed() {
        return deed;
    }

    HeldFilter filter() {
        return filter;
    }

    /** All of it, as parameters of an address. */
    public String query() {
        return "deed=" + deed.word() + "&" + filter.query();
    }

    boolean asksForTheNumber() {
        return deed.isFinal() || !filter.isNarrowed();
    }

    /** The holds of its side. */
    public Holds holds(DataSource pool, Database database) {
        return HoldLookup.holds(pool, database, filter.side());
    }

    /** The holds that would be changed, as they are now. */
    public HoldPart part(Database database) {
        return holds(database.viewers(), database).part(filter.parked(), HoldBulkAction.MOST);
    }

    /** Those holds of a part. */
    public HoldFilter chosen(HoldPart part) {
        return part.untried(filter.parked());
    }

    /** How many messages it is about. */
    public long messages(HoldTally tally) {
        return deed.messages(tally);
    }

    /**
     * Changes the holds that were seen, if there are no more of them and nothing more would be lost.
     *
     * @param messages how many it was about
     * @return how many were changed
     */
    public long apply(HoldPart seen, long messages, AuditContext instruction, Database database) {
        Holds holds = holds(database.operators(), database);
        HoldFilter chosen = deed.among(seen, filter);
        HoldTally there = holds.tally(chosen);
        // More than were shown: nobody has seen those.
        boolean asSeen = there.holds() <= Math.min(seen.count(), HoldBulkAction.MOST)
                && (!deed.isFinal() || deed.messages(there) <= messages);
        return asSeen && there.holds() > 0
                ? deed.apply(holds, chosen, instruction).holds()
                : 0;
    }
}
