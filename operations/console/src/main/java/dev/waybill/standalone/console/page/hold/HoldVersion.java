package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.AuditEntry;
import dev.waybill.hold.Hold;
import java.util.List;

/** The version of a hold that a person saw, for detecting concurrent changes. */
public final class HoldVersion {
    private HoldVersion() {}

    /** Includes the last audit entry, the only trace of an edited message. */
    public static String of(Hold hold, List<AuditEntry> done) {
        return of(hold) + " " + (done.isEmpty() ? "" : done.get(done.size() - 1).at());
    }

    static String of(Hold hold) {
        return hold.id() + " " + hold.state() + " " + hold.messages() + " " + hold.attempts() + " " + hold.timesParked()
                + " " + hold.dueAt();
    }
}
