package dev.waybill.inbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports deferred messages that nobody has resumed, or that the broker does not find, for long. Thread-safe. */
final class ForgottenTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ForgottenTurn.class);

    private final DSLContext dsl;
    private final Database database;
    private final Deferrals deferrals;
    private final ConsumerSettings settings;
    private final OptionalTable table;

    ForgottenTurn(DSLContext dsl, Database database, ConsumerSettings settings) {
        this.dsl = dsl;
        this.database = database;
        deferrals = Deferrals.in(settings.schema);
        this.settings = settings;
        table = new OptionalTable(settings.schema, "inbox_deferral");
    }

    /** Returns how many there are, at most 1,000. */
    int run() throws SQLException {
        if (!table.isInstalled(database)) {
            return 0;
        }
        deferrals.forgetResumptionsOfOthers(database);
        Duration after = settings.deferralWarningAfter;
        List<Deferral> forgotten = deferrals.olderThan(dsl, settings.name, after);
        forgotten.forEach(settings.listener::forgotten);
        if (!forgotten.isEmpty()) {
            Deferral oldest = forgotten.get(0);
            LOG.warn(
                    "Consumer '{}': {} messages have been deferred for more than {}; the oldest is '{}' since {}, to be resumed by"
                            + " '{}'",
                    settings.name,
                    forgotten.size(),
                    after,
                    oldest.messageId(),
                    oldest.deferredAt(),
                    oldest.deferKey());
        }
        return forgotten.size();
    }
}
