package dev.waybill.inbox.defer;

import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.sql.SQLException;

/** Matches deferrals with resumptions that were committed concurrently. Thread-safe. */
public final class ResumptionTurn {
    private final Resumptions resumptions;
    private final Database database;
    private final ConsumerSettings settings;
    private final OptionalTable table;

    public ResumptionTurn(Database database, ConsumerSettings settings) {
        resumptions = new Resumptions(settings.store().schema());
        this.database = database;
        this.settings = settings;
        table = new OptionalTable(settings.store().schema(), "inbox_deferral");
    }

    /** Returns how many holds became due because their messages were resumed. */
    public int run() throws SQLException {
        if (!table.isInstalled(database)) {
            return 0;
        }
        resumptions.meet(database, settings.store().consumer());
        int woken = resumptions.wake(database, settings.store().consumer());
        resumptions.forget(database, settings.store().consumer(), settings.longestAttempt());
        return woken;
    }
}
