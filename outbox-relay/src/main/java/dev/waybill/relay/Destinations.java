package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;

/** Pauses destinations, and reports which ones are paused or refused by the broker. Immutable and thread-safe. */
public final class Destinations {
    private final DSLContext dsl;
    private final SqlFiles sql;

    private Destinations(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(Destinations.class, schema);
    }

    public static Destinations of(DataSource dataSource, SchemaName schema) {
        return new Destinations(schema.in(AutoCommitConnections.using(dataSource)), schema);
    }

    /**
     * Pauses a destination from the next read on; a send in flight completes and is settled. Pausing again replaces operator
     * and reason.
     */
    public void pause(String destination, AuditContext instruction) {
        pause(destination, instruction, false);
    }

    /** Pauses a destination. False, without a change, if it is already paused. */
    public boolean pauseUnlessPaused(String destination, AuditContext instruction) {
        return pause(destination, instruction, true);
    }

    private boolean pause(String destination, AuditContext instruction, boolean unlessPaused) {
        return order(
                "pause",
                destination,
                instruction,
                val(instruction.operator()),
                val(instruction.reason()),
                val(unlessPaused));
    }

    /** Ends the pause of a destination; false if it was not paused. */
    public boolean resume(String destination, AuditContext instruction) {
        return order(
                "resume",
                destination,
                instruction,
                val(null, OffsetDateTime.class),
                val(null, String.class),
                val(null, String.class));
    }

    /** Ends exactly the pause that the operator has seen; false, without a change, if it has ended or was replaced. */
    public boolean resume(Pause seen, AuditContext instruction) {
        return order(
                "resume",
                seen.destination(),
                instruction,
                val(seen.since().atOffset(ZoneOffset.UTC)),
                val(seen.operator()),
                val(seen.reason()));
    }

    // Parameters after the destination, in both statements.
    private boolean order(String action, String destination, AuditContext instruction, Field<?>... values) {
        Field<?>[] all =
                Stream.concat(Stream.of(val(destination)), Stream.of(values)).toArray(Field<?>[]::new);
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            boolean changed = tx.dsl().execute(sql.get(action), all) == 1;
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

    public Optional<Pause> pauseOf(String destination) {
        return paused().stream()
                .filter(pause -> pause.destination().equals(destination))
                .findFirst();
    }

    /** All current pauses, by destination. */
    public List<Pause> paused() {
        return dsl.fetch(sql.get("paused")).map(Destinations::pause);
    }

    /** Destinations that have refused all messages within the last five minutes, with the reason. */
    public Map<String, Refusal> refused() {
        return dsl.fetch(sql.get("refused"))
                .intoMap(
                        row -> row.get("destination", String.class),
                        row -> new Refusal(
                                row.get("refusal_reason", String.class),
                                row.get("refusal_description", String.class),
                                instant(row, "refused_at"),
                                instant(row, "refusal_seen_at")));
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

    /** A pause; a new reason does not change {@code since}. */
    public record Pause(String destination, String operator, String reason, Instant since) {}
}
