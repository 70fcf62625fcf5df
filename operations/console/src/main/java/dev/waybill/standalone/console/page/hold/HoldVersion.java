package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.AuditEntry;
import dev.waybill.hold.Hold;
import java.util.List;

/** Tells a hold as somebody has seen it from one that a person or an attempt has changed since. */
public final class HoldVersion {
    private HoldVersion() {}

    /**
     * Of a hold with all that was done to it: an edit of a message shows there, and nowhere else.
     *
     * @param done in the order of time
     */
    public static String of(Hold hold, List<AuditEntry> done) {
        return of(hold) + " " + (done.isEmpty() ? "" : done.get(done.size() - 1).at());
    }

    /** Of a hold by itself. */
    static String of(Hold hold) {
        return hold.id() + " " + hold.state() + " " + hold.messages() + " " + hold.attempts() + " " + hold.timesParked()
                + " " + hold.dueAt();
    }
}
