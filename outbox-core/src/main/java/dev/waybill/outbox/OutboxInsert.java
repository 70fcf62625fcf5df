package dev.waybill.outbox;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.RowN;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The one statement that takes the sessions' locks and inserts the rows, in one round trip.
 *
 * <p>The locks are an aggregate in a materialised subquery that every row is joined to, so all of them are held before
 * the first row's defaults draw a sequence value. They are taken in the order of their keys, because two sessions may
 * hash to one key.
 */
final class OutboxInsert {
    /** Names our locks among the application's own advisory locks: "WAYB". */
    private static final int LOCK_CLASS = 0x57415942;

    /** PostgreSQL takes 65,535 parameters in a statement, and a row needs 14 of them. */
    private static final int ROWS_PER_STATEMENT = 1_000;

    private static final String[] COLUMNS = {
        "ordinal",
        "destination",
        "session_id",
        "message_id",
        "partition_key",
        "subject",
        "content_type",
        "correlation_id",
        "to_address",
        "reply_to",
        "reply_to_session_id",
        "time_to_live",
        "scheduled_enqueue_time",
        "headers",
        "payload"
    };

    private static final String STATEMENT = """
            with locked as materialized (
              select count(*) filter (where lock is not null) from (
                select pg_advisory_xact_lock(%1$d, key)::text as lock from (
                  select distinct hashtext(destination || chr(31) || session_id) as key
                  from unnest({0}, {1}) as s(destination, session_id)
                  where session_id is not null
                  order by key
                ) keys
              ) locks
            )
            insert into %2$s (%3$s)
            select %3$s from locked cross join ({2}) as m order by ordinal
            """;

    private final String sql;

    OutboxInsert(SchemaName schema) {
        var columns = String.join(", ", List.of(COLUMNS).subList(1, COLUMNS.length));
        sql = STATEMENT.formatted(LOCK_CLASS, schema.table("outbox_message"), columns);
    }

    void execute(DSLContext tx, List<OutboxMessage> messages) {
        // The first statement takes the locks of all: taken piece by piece, two lists could wait for each other.
        List<OutboxMessage> toLock = messages;
        for (int start = 0; start < messages.size(); start += ROWS_PER_STATEMENT) {
            int end = Math.min(start + ROWS_PER_STATEMENT, messages.size());
            tx.execute(sql, destinations(toLock), sessions(toLock), rows(messages.subList(start, end)));
            toLock = List.of();
        }
    }

    private static Field<String[]> destinations(List<OutboxMessage> messages) {
        return val(messages.stream().map(m -> m.values().destination).toArray(String[]::new));
    }

    private static Field<String[]> sessions(List<OutboxMessage> messages) {
        return val(messages.stream().map(m -> m.values().session).toArray(String[]::new));
    }

    private static Select<Record> rows(List<OutboxMessage> messages) {
        var rows = new RowN[messages.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = values(i, messages.get(i));
        }
        return DSL.selectFrom(DSL.values(rows).as("v", COLUMNS));
    }

    private static RowN values(int ordinal, OutboxMessage message) {
        var values = message.values();
        return row(List.of(
                inline(ordinal),
                text(values.destination),
                text(values.session),
                text(message.id()),
                text(values.partitionKey),
                text(values.subject),
                text(values.contentType),
                text(values.correlationId),
                text(values.toAddress),
                text(values.replyTo),
                text(values.replyToSession),
                val(millis(values.timeToLive), SQLDataType.BIGINT),
                val(utc(values.scheduledEnqueueTime), SQLDataType.TIMESTAMPWITHTIMEZONE),
                val(headers(message), SQLDataType.JSONB),
                val(values.body, SQLDataType.BLOB)));
    }

    private static Field<String> text(@Nullable String text) {
        return val(text, SQLDataType.CLOB);
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable JSONB headers(OutboxMessage message) {
        return message.headers().isEmpty() ? null : JSONB.jsonb(Headers.write(message.headers()));
    }
}
