package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_PAUSE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_REFUSAL;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
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
        dsl.transaction(tx -> {
            var inside = new Destinations(tx.dsl());
            inside.put(destination, reason);
            String user = tx.dsl().fetchSingle("select session_user::text").get(0, String.class);
            inside.audit("pause", destination, new AuditContext(user, reason.isBlank() ? "none" : reason));
        });
    }

    private void put(String destination, String reason) {
        dsl.insertInto(OUTBOX_PAUSE, OUTBOX_PAUSE.DESTINATION, OUTBOX_PAUSE.REASON)
                .values(destination, reason)
                .onConflict(OUTBOX_PAUSE.DESTINATION)
                .doUpdate()
                .set(OUTBOX_PAUSE.REASON, reason)
                .execute();
    }

    /**
     * The same on somebody's word, for the audit.
     *
     * @param instruction its reason is what the next operator should know
     */
    public void pause(String destination, AuditContext instruction) {
        dsl.transaction(tx -> {
            Destinations inside = new Destinations(tx.dsl());
            inside.put(destination, told(instruction));
            inside.audit("pause", destination, instruction);
        });
    }

    /** The same unless it is paused already; returns false then, and changes nothing. */
    public boolean pauseUnlessPaused(String destination, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            boolean first = tx.dsl()
                            .insertInto(OUTBOX_PAUSE, OUTBOX_PAUSE.DESTINATION, OUTBOX_PAUSE.REASON)
                            .values(destination, told(instruction))
                            .onConflictDoNothing()
                            .execute()
                    == 1;
            if (first) {
                new Destinations(tx.dsl()).audit("pause", destination, instruction);
            }
            return first;
        });
    }

    // Alarms show the reason alone.
    private static String told(AuditContext instruction) {
        return instruction.reason() + " (" + instruction.operator() + ")";
    }

    private void audit(String action, String destination, AuditContext instruction) {
        new OperatorAction(
                        action,
                        new Subject(Kind.DESTINATION, destination, null),
                        instruction.operator(),
                        instruction.reason())
                .write(dsl, null, null);
    }

    /** Lets the rows go on; returns false if the destination was not paused. */
    public boolean resume(String destination) {
        return dsl.deleteFrom(OUTBOX_PAUSE)
                        .where(OUTBOX_PAUSE.DESTINATION.eq(destination))
                        .execute()
                == 1;
    }

    /** The same on somebody's word, for the audit. */
    public boolean resume(String destination, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            Destinations inside = new Destinations(tx.dsl());
            boolean was = inside.resume(destination);
            if (was) {
                inside.audit("resume", destination, instruction);
            }
            return was;
        });
    }

    /**
     * Ends one pause on somebody's word; returns false, and changes nothing, if it has ended or another one stands in
     * its place.
     *
     * @param seen the pause as it was shown to the person
     */
    public boolean resume(Pause seen, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            boolean was = tx.dsl()
                            .deleteFrom(OUTBOX_PAUSE)
                            .where(OUTBOX_PAUSE.DESTINATION.eq(seen.destination()))
                            .and(OUTBOX_PAUSE.PAUSED_AT.eq(seen.since().atOffset(ZoneOffset.UTC)))
                            .and(OUTBOX_PAUSE.REASON.eq(seen.reason()))
                            .execute()
                    == 1;
            if (was) {
                new Destinations(tx.dsl()).audit("resume", seen.destination(), instruction);
            }
            return was;
        });
    }

    /** The pause of a destination, if it is paused. */
    public Optional<Pause> pauseOf(String destination) {
        return dsl.selectFrom(OUTBOX_PAUSE)
                .where(OUTBOX_PAUSE.DESTINATION.eq(destination))
                .fetchOptional(row -> new Pause(
                        destination,
                        row.get(OUTBOX_PAUSE.REASON),
                        row.get(OUTBOX_PAUSE.PAUSED_AT).toInstant()));
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

    /**
     * A pause that stands.
     *
     * @param since when it was paused first; changing the reason does not change it
     */
    public record Pause(String destination, String reason, Instant since) {}
}
