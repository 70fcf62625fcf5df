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

/** A change of many parked holds with its filter. Immutable. */
public final class HoldBulkRequest {
    private final HoldBulkAction deed;
    private final HeldFilter filter;

    private HoldBulkRequest(HoldBulkAction deed, HeldFilter filter) {
        this.deed = deed;
        this.filter = filter;
    }

    public static HoldBulkRequest of(Context request) {
        return new HoldBulkRequest(HoldBulkAction.of(Forms.parameter(request, "deed")), HeldFilter.of(request));
    }

    HoldBulkAction deed() {
        return deed;
    }

    HeldFilter filter() {
        return filter;
    }

    public String query() {
        return "deed=" + deed.word() + "&" + filter.query();
    }

    boolean asksForTheNumber() {
        return deed.isFinal() || !filter.isNarrowed();
    }

    public Holds holds(DataSource pool, Database database) {
        return HoldLookup.holds(pool, database, filter.side());
    }

    /** The current holds of the filter. */
    public HoldPart part(Database database) {
        return holds(database.viewers(), database).part(filter.parked(), HoldBulkAction.MOST);
    }

    public HoldFilter chosen(HoldPart part) {
        return part.untried(filter.parked());
    }

    public long messages(HoldTally tally) {
        return deed.messages(tally);
    }

    /** Changes the holds of the preview, unless more would be affected; {@code messages} is the number in the preview. */
    public long apply(HoldPart seen, long messages, AuditContext instruction, Database database) {
        Holds holds = holds(database.operators(), database);
        HoldFilter chosen = deed.among(seen, filter);
        HoldTally there = holds.tally(chosen);
        // The preview showed fewer holds.
        boolean asSeen = there.holds() <= Math.min(seen.count(), HoldBulkAction.MOST)
                && (!deed.isFinal() || deed.messages(there) <= messages);
        return asSeen && there.holds() > 0
                ? deed.apply(holds, chosen, instruction).holds()
                : 0;
    }
}
