package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_PAUSE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_REFUSAL;

import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/** An operator's orders about destinations, to all relays at the same time. Immutable and thread-safe. */
public final class Destinations {
    private final DSLContext dsl;

    private Destinations(DSLContext dsl) {
        this.dsl = dsl;
    }

    /** The destinations of the outbox in a schema. */
    public static Destinations of(DataSource dataSource, SchemaName schema) {
        return new Destinations(schema.in(AutoCommitConnections.using(dataSource)));
    }

    /**
     * Lets the rows of a destination wait from the next read on; a send under way ends and is settled. Pausing
     * what is paused changes the reason.
     *
     * @param reason what the next operator should know
     */
    public void pause(String destination, String reason) {
        dsl.insertInto(OUTBOX_PAUSE, OUTBOX_PAUSE.DESTINATION, OUTBOX_PAUSE.REASON)
                .values(destination, reason)
                .onConflict(OUTBOX_PAUSE.DESTINATION)
                .doUpdate()
                .set(OUTBOX_PAUSE.REASON, reason)
                .execute();
    }

    /** Lets the rows go on; returns false if the destination was not paused. */
    public boolean resume(String destination) {
        return dsl.deleteFrom(OUTBOX_PAUSE)
                        .where(OUTBOX_PAUSE.DESTINATION.eq(destination))
                        .execute()
                == 1;
    }

    /** The destinations that have refused whatever was sent to them in the last five minutes, and why. */
    public Map<String, Refusal> refused() {
        return dsl.selectFrom(OUTBOX_REFUSAL)
                .where("seen_at > clock_timestamp() - interval '5 minutes'")
                .fetchMap(
                        OUTBOX_REFUSAL.DESTINATION,
                        row -> new Refusal(
                                row.get(OUTBOX_REFUSAL.REASON),
                                row.get(OUTBOX_REFUSAL.DESCRIPTION),
                                row.get(OUTBOX_REFUSAL.REFUSED_AT).toInstant(),
                                row.get(OUTBOX_REFUSAL.SEEN_AT).toInstant()));
    }

    /** The paused destinations and why. */
    public Map<String, String> paused() {
        return dsl.selectFrom(OUTBOX_PAUSE).fetchMap(OUTBOX_PAUSE.DESTINATION, OUTBOX_PAUSE.REASON);
    }
}
