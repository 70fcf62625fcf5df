package dev.waybill.inbox;

import java.sql.SQLException;

/** Brings deferrals and resumptions together that were committed side by side. Thread-safe. */
final class ResumptionTurn {
    private final Resumptions resumptions;
    private final Database database;
    private final ConsumerSettings settings;
    private final OptionalTable table;

    ResumptionTurn(Resumptions resumptions, Database database, ConsumerSettings settings) {
        this.resumptions = resumptions;
        this.database = database;
        this.settings = settings;
        table = new OptionalTable(settings.schema, "inbox_deferral");
    }

    /** Returns how many holds are due because their messages are resumed. */
    int run() throws SQLException {
        if (!table.isInstalled(database)) {
            return 0;
        }
        resumptions.meet(database, settings.name);
        int woken = resumptions.wake(database, settings.name);
        resumptions.forget(database, settings.name, settings.longestAttempt());
        return woken;
    }
}
