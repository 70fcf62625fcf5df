package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_REFUSAL;
import static org.jooq.impl.DSL.field;

import dev.waybill.hold.Cause;
import dev.waybill.supervision.Fault;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says of one destination, in the log and in the database, that it refuses everything, and that it does so no more. */
final class DestinationAlarm {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationAlarm.class);
    private static final Field<OffsetDateTime> NOW = field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

    private final DSLContext dsl;
    private final String destination;
    private final Fault refusing = Fault.severe(LOG, System::nanoTime);
    private @Nullable Throwable logged;
    private boolean knownToTake;

    DestinationAlarm(DSLContext dsl, String destination) {
        this.dsl = dsl;
        this.destination = destination;
    }

    /**
     * After each turn.
     *
     * @param refusal why nothing is taken; null if that is not known
     * @param published whether something was taken
     */
    void tell(@Nullable Throwable refusal, boolean published) {
        if (refusal != null) {
            log(refusal);
            raise(LanePage.causeOf(refusal));
        } else if (published && !knownToTake) {
            clear();
        }
    }

    // It is told after each turn, and is news only when something was sent again.
    private void log(Throwable refusal) {
        if (refusal != logged) {
            refusing.met("'" + destination + "' takes no message; its messages wait", refusal);
        }
        logged = refusal;
    }

    private void raise(Cause cause) {
        knownToTake = false;
        dsl.insertInto(OUTBOX_REFUSAL, OUTBOX_REFUSAL.DESTINATION, OUTBOX_REFUSAL.REASON, OUTBOX_REFUSAL.DESCRIPTION)
                .values(destination, cause.reason(), cause.description())
                .onConflict(OUTBOX_REFUSAL.DESTINATION)
                .doUpdate()
                .set(OUTBOX_REFUSAL.REASON, cause.reason())
                .set(OUTBOX_REFUSAL.DESCRIPTION, cause.description())
                .set(OUTBOX_REFUSAL.SEEN_AT, NOW)
                .execute();
    }

    // Also once after the start: a relay that is no more may have raised it.
    private void clear() {
        dsl.deleteFrom(OUTBOX_REFUSAL)
                .where(OUTBOX_REFUSAL.DESTINATION.eq(destination))
                .execute();
        refusing.over("'" + destination + "' takes messages again");
        logged = null;
        knownToTake = true;
    }
}
