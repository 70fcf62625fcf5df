package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.OperatorAction;
import dev.waybill.hold.OperatorAction.Kind;
import dev.waybill.hold.OperatorAction.Subject;
import dev.waybill.outbox.Outbox;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Scheduled messages. Reading needs the grants of {@code Role.READONLY}, cancelling those of {@code Role.OPERATOR}.
 * Thread-safe.
 */
public final class ScheduledMessages {
    private final DSLContext dsl;
    private final SchemaName schema;

    private ScheduledMessages(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    public static ScheduledMessages in(DataSource pool, SchemaName schema) {
        return new ScheduledMessages(AutoCommitConnections.using(pool), schema);
    }

    /** A scheduled message; its mark differs if the id was scheduled again. */
    public record Message(long id, About about, Instant dueAt, long bytes, String mark) {}

    public record About(
            String destination,
            String messageId,
            @Nullable String session,
            @Nullable String subject) {}

    public record Place(Instant dueAt, long id) {}

    /** The next messages to become due, behind a place. */
    public List<Message> next(Optional<String> destination, @Nullable Place after, int most) {
        return dsl.fetch(
                        NEXT.formatted(schema, COLUMNS),
                        val(destination.orElse(null), SQLDataType.VARCHAR),
                        time(after),
                        val(after == null ? 0 : after.id),
                        val(most))
                .map(ScheduledMessages::message);
    }

    public Optional<Message> find(long id) {
        return dsl.fetchOptional(ONE.formatted(schema), val(id)).map(ScheduledMessages::message);
    }

    /** Cancels the message that the operator saw; returns false if it is no longer scheduled. */
    public boolean cancel(long id, String mark, AuditContext instruction) {
        return dsl.transactionResult(tx -> {
            Optional<Message> found =
                    tx.dsl().fetchOptional(LOCK.formatted(schema), val(id)).map(ScheduledMessages::message);
            if (found.filter(message -> message.mark.equals(mark)).isEmpty()) {
                return false;
            }
            About about = found.get().about;
            new OperatorAction(
                            "cancel",
                            new Subject(Kind.SCHEDULED_MESSAGE, about.messageId, about.destination),
                            instruction.operator(),
                            instruction.reason())
                    .write(schema.in(tx.dsl()), JSONB.valueOf("{\"due_at\": \"" + found.get().dueAt + "\"}"), null);
            return Outbox.builder().schema(schema).build().cancel(tx.dsl(), about.destination, about.messageId);
        });
    }

    private static Field<OffsetDateTime> time(@Nullable Place place) {
        return val(place == null ? null : place.dueAt.atOffset(ZoneOffset.UTC), SQLDataType.TIMESTAMPWITHTIMEZONE(6));
    }

    private static Message message(Record row) {
        return new Message(
                row.get("id", Long.class),
                new About(
                        row.get("destination", String.class),
                        row.get("message_id", String.class),
                        row.get("session_id", String.class),
                        row.get("subject", String.class)),
                row.get("due_at", OffsetDateTime.class).toInstant(),
                row.get("bytes", Long.class),
                row.get("mark", String.class));
    }

    private static final String COLUMNS = "id, destination, message_id, session_id, subject, due_at,"
            + " octet_length(payload) as bytes, id || ' ' || xmin as mark";

    // One index step for each destination returns the requested number of rows.
    private static final String NEXT = """
            with recursive named as (
              (select destination from %1$s.outbox_scheduled order by destination limit 1)
              union all
              select (select s.destination from %1$s.outbox_scheduled s where s.destination > n.destination
                order by s.destination limit 1)
              from named n where n.destination is not null
            ), wanted as (
              select {0} as destination where {0} is not null
              union all
              select destination from named where {0} is null and destination is not null
            )
            select x.* from wanted w cross join lateral (
              select %2$s from %1$s.outbox_scheduled s
              where s.destination = w.destination
                and (s.due_at, s.id) > (coalesce({1}, '-infinity'), {2})
              order by s.due_at, s.id limit {3}) x
            order by x.due_at, x.id limit {3}
            """;

    private static final String ONE = "select " + COLUMNS + " from %s.outbox_scheduled where id = {0}";

    private static final String LOCK = ONE + " for update";
}
