package dev.waybill.inbox.defer;

import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports messages that have been deferred for long, without a resume or without a trace on the broker. Thread-safe. */
public final class ForgottenTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ForgottenTurn.class);

    private final DSLContext dsl;
    private final Database database;
    private final Resumptions resumptions;
    private final LongDeferrals deferrals;
    private final ConsumerSettings settings;
    private final OptionalTable table;

    public ForgottenTurn(DSLContext dsl, Database database, ConsumerSettings settings) {
        this.dsl = dsl;
        this.database = database;
        resumptions = new Resumptions(settings.store().schema());
        deferrals = new LongDeferrals(settings.store().schema());
        this.settings = settings;
        table = new OptionalTable(settings.store().schema(), "inbox_deferral");
    }

    /** Returns their number, at most 1,000. */
    public int run() throws SQLException {
        if (!table.isInstalled(database)) {
            return 0;
        }
        resumptions.forgetOfOthers(database);
        Duration after = settings.times().deferralWarningAfter();
        List<Deferral> forgotten = deferrals.find(dsl, settings.store().consumer(), after);
        forgotten.forEach(settings.hooks().listener()::forgotten);
        if (!forgotten.isEmpty()) {
            Deferral oldest = forgotten.get(0);
            LOG.warn(
                    "Consumer '{}': {} messages have been deferred for more than {}; the oldest is '{}' since {}, with the key"
                            + " '{}'",
                    settings.store().consumer(),
                    forgotten.size(),
                    after,
                    oldest.messageId(),
                    oldest.deferredAt(),
                    oldest.deferKey());
        }
        return forgotten.size();
    }
}
