package dev.waybill.deadletter;

import dev.waybill.hold.MessageContent;
import dev.waybill.migrations.SchemaName;
import dev.waybill.outbox.WireContract;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Stores dead letters, each once, in one statement whose text is the same for any number of them. */
final class ArrivalInsert {
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int LAST_YEAR = 9_999;

    private static final List<Column> COLUMNS = List.of(
            new Column("key", "uuid", a -> ArrivalKey.of(a.origin(), a.content().body())),
            text("entity", a -> a.origin().entity().path()),
            new Column("transfer", "boolean", a -> a.origin().entity().transfer()),
            new Column("sequence_number", "bigint", a -> a.origin().sequenceNumber()),
            time("enqueued_at", a -> a.origin().enqueuedAt()),
            new Column("deliveries", "bigint", a -> a.origin().deliveries()),
            time("expires_at", a -> a.origin().expiresAt()),
            text("source", a -> a.death().source()),
            text("reason", a -> a.death().reason()),
            text("description", a -> a.death().description()),
            text(
                    "exception_type",
                    a -> ExceptionType.of(a.death().reason(), a.death().description())),
            text("session_id", a -> a.content().sessionId()),
            text("message_id", a -> a.content().messageId()),
            text("broker_message_id", a -> a.content().brokerMessageId()),
            text("partition_key", a -> a.content().partitionKey()),
            text("subject", a -> a.content().subject()),
            text("content_type", a -> a.content().contentType()),
            text("correlation_id", a -> a.content().correlationId()),
            text("to_address", a -> a.content().toAddress()),
            text("reply_to", a -> a.content().replyTo()),
            text("reply_to_session_id", a -> a.content().replyToSessionId()),
            new Column("time_to_live", "bigint", a -> millis(a.content().timeToLive())),
            time("scheduled_enqueue_time", a -> a.content().scheduledEnqueueTime()),
            text("headers", a -> a.content().headers()),
            text("body_kind", a -> a.bodyKind().column()),
            new Column("payload", "bytea", a -> a.content().body()),
            new Column("claim", "uuid", a -> claim(a.content())),
            new Column("redrives", "integer", a -> redrives(a.content())));

    private final String sql;

    ArrivalInsert(SchemaName schema) {
        String names = String.join(", ", COLUMNS.stream().map(Column::name).toList());
        String arrays = String.join(
                ", ", COLUMNS.stream().map(column -> "?::" + column.type + "[]").toList());
        sql = "insert into " + schema.table("dead_letter") + " (" + names + ", state)\nselect " + names
                + ", case when redrives >= ? then 'quarantined' else 'open' end\nfrom unnest(" + arrays
                + ") as arrival("
                + names + ")\non conflict (key) do nothing";
    }

    /**
     * Stores what is not stored yet.
     *
     * @param mostRedrives who has been re-driven so often is quarantined
     * @return how many were new
     */
    int execute(Connection tx, List<Arrival> arrivals, int mostRedrives) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            statement.setInt(1, mostRedrives);
            for (int i = 0; i < COLUMNS.size(); i++) {
                statement.setArray(i + 2, COLUMNS.get(i).array(tx, arrivals));
            }
            return statement.executeUpdate();
        }
    }

    private static Column text(String name, Function<Arrival, @Nullable String> value) {
        return new Column(name, "text", arrival -> storable(value.apply(arrival)));
    }

    private static Column time(String name, Function<Arrival, @Nullable Instant> value) {
        return new Column(name, "timestamptz", arrival -> time(value.apply(arrival)));
    }

    // PostgreSQL stores no NUL in text. In application properties it is escaped.
    private static @Nullable String storable(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }

    // For what lives for ever the client gives a time that no calendar has.
    private static @Nullable String time(@Nullable Instant time) {
        boolean never = time == null || time.atOffset(ZoneOffset.UTC).getYear() > LAST_YEAR;
        return never ? null : String.valueOf(time);
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static @Nullable UUID claim(MessageContent content) {
        return property(content, WireContract.CLAIM) instanceof String claim
                        && UUID_FORM.matcher(claim).matches()
                ? UUID.fromString(claim)
                : null;
    }

    private static int redrives(MessageContent content) {
        return property(content, WireContract.REDRIVE_COUNT) instanceof Number count ? count.intValue() : 0;
    }

    // Most messages have neither, and need not be parsed to know it.
    private static @Nullable Object property(MessageContent content, String name) {
        @Nullable String headers = content.headers();
        return headers == null || !headers.contains(name)
                ? null
                : content.properties().get(name);
    }

    /** A column, and its value of an arrival. */
    private record Column(String name, String type, Function<Arrival, @Nullable Object> value) {
        Array array(Connection tx, List<Arrival> arrivals) throws SQLException {
            @Nullable Object[] values = "bytea".equals(type) ? new byte[arrivals.size()][] : new Object[arrivals.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value.apply(arrivals.get(i));
            }
            return tx.createArrayOf("timestamptz".equals(type) ? "text" : type, values);
        }
    }
}
