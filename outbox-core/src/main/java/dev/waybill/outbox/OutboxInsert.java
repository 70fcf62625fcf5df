package dev.waybill.outbox;

import dev.waybill.migrations.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.JSONB;
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

    private static final String STATEMENT = """
            with locked as materialized (
              select count(*) filter (where lock is not null) from (
                select pg_advisory_xact_lock(%d, key)::text as lock from (
                  select distinct hashtext(destination || chr(31) || session_id) as key
                  from unnest({0}, {1}) as s(destination, session_id)
                  where session_id is not null
                  order by key
                ) keys
              ) locks
            )
            insert into %s (
              destination, session_id, message_id, partition_key, subject, content_type, correlation_id, to_address,
              reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload)
            select m.destination, m.session_id, m.message_id, m.partition_key, m.subject, m.content_type,
              m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
              m.scheduled_enqueue_time, m.headers, m.payload
            from locked cross join unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}, {13})
              with ordinality as m(destination, session_id, message_id, partition_key, subject, content_type,
                correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time,
                headers, payload, ordinal)
            order by m.ordinal
            """;

    private final String sql;

    OutboxInsert(SchemaName schema) {
        sql = STATEMENT.formatted(LOCK_CLASS, schema.table("outbox_message"));
    }

    void execute(DSLContext tx, List<OutboxMessage> messages) {
        tx.execute(
                sql,
                text(messages, m -> m.values().destination),
                text(messages, m -> m.values().session),
                text(messages, OutboxMessage::id),
                text(messages, m -> m.values().partitionKey),
                text(messages, m -> m.values().subject),
                text(messages, m -> m.values().contentType),
                text(messages, m -> m.values().correlationId),
                text(messages, m -> m.values().toAddress),
                text(messages, m -> m.values().replyTo),
                text(messages, m -> m.values().replyToSession),
                array(messages, SQLDataType.BIGINT, m -> millis(m.values().timeToLive)),
                array(messages, SQLDataType.TIMESTAMPWITHTIMEZONE, m -> utc(m.values().scheduledEnqueueTime)),
                array(messages, SQLDataType.JSONB, m -> headers(m)),
                array(messages, SQLDataType.BLOB, m -> m.values().body));
    }

    private static Field<?> text(List<OutboxMessage> messages, Function<OutboxMessage, @Nullable String> property) {
        return array(messages, SQLDataType.CLOB, property);
    }

    @SuppressWarnings("unchecked")
    private static <T> Field<T[]> array(
            List<OutboxMessage> messages, DataType<T> type, Function<OutboxMessage, @Nullable T> property) {
        T[] values = (T[]) java.lang.reflect.Array.newInstance(type.getType(), messages.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = property.apply(messages.get(i));
        }
        return DSL.val(values, type.getArrayDataType());
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static java.time.@Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable JSONB headers(OutboxMessage message) {
        return message.headers().isEmpty() ? null : JSONB.jsonb(Headers.write(message.headers()));
    }
}
