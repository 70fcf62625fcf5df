package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Which destinations are paused or refused, on an operator's word and on the broker's. Immutable and thread-safe. */
public final class Destinations {
    private final DSLContext dsl;
    private final SchemaName schema;

    private Destinations(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** The destinations of the outbox in a schema. */
    public static Destinations of(DataSource dataSource, SchemaName schema) {
        return new Destinations(schema.in(AutoCommitConnections.using(dataSource)), schema);
    }

    /**
     * Lets the messages of a destination wait from the next read on; a send under way ends and is settled. Pausing what is paused
     * changes operator and reason.
     *
     * @param instruction its reason is what the next operator should know
     */
    public void pause(String destination, AuditContext instruction) {
        order("pause", destination, instruction, tx -> {
            tx.execute(
                    PAUSE.formatted(schema), val(destination), val(instruction.operator()), val(instruction.reason()));
            return true;
        });
    }

    /** Pauses unless it is paused already; returns false then, and changes nothing. */
    public boolean pauseUnlessPaused(String destination, AuditContext instruction) {
        return order(
                "pause",
                destination,
                instruction,
                tx -> tx.execute(
                                PAUSE.formatted(schema) + " where d.paused_at is null",
                                val(destination),
                                val(instruction.operator()),
                                val(instruction.reason()))
                        == 1);
    }

    /** Lets the messages go on; returns false if the destination was not paused. */
    public boolean resume(String destination, AuditContext instruction) {
        return order(
                "resume", destination, instruction, tx -> tx.execute(RESUME.formatted(schema), val(destination)) == 1);
    }

    /**
     * Ends one pause; returns false, and changes nothing, if it has ended or another one stands in its place.
     *
     * @param seen the pause as it was shown to the operator
     */
    public boolean resume(Pause seen, AuditContext instruction) {
        return order(
                "resume",
                seen.destination(),
                instruction,
                tx -> tx.execute(
                                RESUME.formatted(schema)
                                        + " and paused_at = {1} and paused_by = {2} and pause_reason = {3}",
                                val(seen.destination()),
                                val(seen.since().atOffset(ZoneOffset.UTC)),
                                val(seen.operator()),
                                val(seen.reason()))
                        == 1);
    }

    private boolean order(String action, String destination, AuditContext instruction, Predicate<DSLContext> change) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            boolean changed = change.test(tx.dsl());
            if (changed) {
                audit(tx.dsl(), action, destination, instruction);
            }
            return changed;
        });
    }

    private static void audit(DSLContext tx, String action, String destination, AuditContext instruction) {
        new OperatorAction(
                        action,
                        new Subject(Kind.DESTINATION, destination, null),
                        instruction.operator(),
                        instruction.reason())
                .write(tx, null, null);
    }

    /** The pause of a destination, if it is paused. */
    public Optional<Pause> pauseOf(String destination) {
        return dsl.fetchOptional(PAUSED.formatted(schema) + " and destination = {0}", val(destination))
                .map(Destinations::pause);
    }

    /** The pauses that stand, by destination. */
    public List<Pause> paused() {
        return dsl.fetch(PAUSED.formatted(schema) + " order by destination").map(Destinations::pause);
    }

    /** The destinations that have refused whatever was sent to them in the last five minutes, and why. */
    public Map<String, Refusal> refused() {
        return dsl.fetch(REFUSED.formatted(schema))
                .intoMap(
                        row -> row.get("destination", String.class),
                        row -> new Refusal(
                                row.get("refusal_reason", String.class),
                                row.get("refusal_description", String.class),
                                instant(row, "refused_at"),
                                instant(row, "refusal_seen_at")));
    }

    /** The destinations that relays publish to or that an operator has given an order for. */
    public List<String> known() {
        return dsl.fetch(KNOWN.formatted(schema)).into(String.class);
    }

    /** The destinations that relays which are alive would publish to. */
    public List<String> served() {
        return dsl.fetch(SERVED.formatted(schema)).into(String.class);
    }

    private static Pause pause(Record row) {
        return new Pause(
                row.get("destination", String.class),
                row.get("paused_by", String.class),
                row.get("pause_reason", String.class),
                instant(row, "paused_at"));
    }

    private static Instant instant(Record row, String column) {
        return row.get(column, OffsetDateTime.class).toInstant();
    }

    /**
     * A pause that stands.
     *
     * @param since when it was paused first; changing the reason does not change it
     */
    public record Pause(String destination, String operator, String reason, Instant since) {}

    private static final String PAUSE = """
            insert into %1$s.outbox_destination as d (destination, paused_at, paused_by, pause_reason)
            values ({0}, clock_timestamp(), {1}, {2})
            on conflict (destination) do update set
              paused_at = coalesce(d.paused_at, clock_timestamp()), paused_by = {1}, pause_reason = {2}""";

    private static final String RESUME = """
            update %1$s.outbox_destination set paused_at = null, paused_by = null, pause_reason = null
            where destination = {0} and paused_at is not null""";

    private static final String PAUSED = """
            select destination, paused_at, paused_by, pause_reason
            from %1$s.outbox_destination where paused_at is not null""";

    private static final String REFUSED = """
            select destination, refusal_reason, refusal_description, refused_at, refusal_seen_at
            from %1$s.outbox_destination where refusal_seen_at > clock_timestamp() - interval '5 minutes'
            """;

    private static final String KNOWN = "select destination from %1$s.outbox_destination order by destination";

    private static final String SERVED = """
            select distinct s from %1$s.relay r cross join unnest(r.serving) as s
            where r.alive_until > clock_timestamp() order by s
            """;
}
