package dev.waybill.relay;

import dev.waybill.message.MessageContent;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one lane as one row of an answer: an array for each column, and all bodies in one value. A server hands its answer to
 * the network in pieces of 8 KiB, and each wakes the reader; a value that is larger than that goes as a whole.
 */
final class RowArrays {
    private static final List<String> TEXTS = List.of(
            "broker_message_id",
            "partition_key",
            "subject",
            "content_type",
            "correlation_id",
            "to_address",
            "reply_to",
            "reply_to_session_id",
            "headers::text");

    private static final long INFINITY = Long.MAX_VALUE;

    // Where the server begins to count: from 1970 on, its last years are beyond what a bigint can hold.
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    // In microseconds, because the driver reads arrays of time stamps by way of a time zone.
    private static final String SCHEDULED =
            ("case when isfinite(%1$s) then ((extract(epoch from %1$s) - %2$s) * 1000000)::bigint"
                            + " else case %1$s when 'infinity' then %3$s when '-infinity' then -%3$s end end")
                    .formatted("m.scheduled_enqueue_time", EPOCH.getEpochSecond(), INFINITY);

    /**
     * Of rows {@code m} that know whether they are whole, which is whether their bodies come along, and whether held. The
     * functions have their full names, because one of the same name in the search path would come first if it took the
     * column's very type.
     */
    static final String COLUMNS = Stream.of(
                    Stream.of(
                            "pg_catalog.array_agg(m.seq)",
                            "case when bool_or(m.held) then pg_catalog.array_agg(m.held) end",
                            "pg_catalog.array_agg(m.message_id)",
                            "pg_catalog.array_agg(case when m.whole then octet_length(m.payload) end)",
                            "pg_catalog.string_agg(case when m.whole then m.payload end, null)",
                            given("m.session_id"),
                            given("m.time_to_live"),
                            given(SCHEDULED)),
                    TEXTS.stream().map(column -> given("m." + column)))
            .flatMap(columns -> columns)
            .collect(Collectors.joining(", "));

    /** As many columns without anything. */
    static final String NOTHING = "null, ".repeat(7 + TEXTS.size()) + "null";

    private static final int FIRST_TEXT = 8;
    private static final byte[] EMPTY = {};

    private final Long[] seqs;
    private final Column<Boolean> held;
    private final String[] messageIds;
    private final Column<Integer> lengths;
    private final byte[] bodies;
    private final Column<String> sessions;
    private final Column<Long> timesToLive;
    private final Column<Long> scheduled;
    private final List<Column<String>> texts;
    private int body;

    /**
     * Those of the row that a result set stands on.
     *
     * @param first the place of the first of {@link #COLUMNS}
     */
    RowArrays(ResultSet row, int first) throws SQLException {
        seqs = (Long[]) row.getArray(first).getArray();
        held = Column.of(row, first + 1);
        messageIds = (String[]) row.getArray(first + 2).getArray();
        lengths = Column.of(row, first + 3);
        bodies = Objects.requireNonNullElse(row.getBytes(first + 4), EMPTY);
        sessions = Column.of(row, first + 5);
        timesToLive = Column.of(row, first + 6);
        scheduled = Column.of(row, first + 7);
        texts = new ArrayList<>(TEXTS.size());
        for (int text = 0; text < TEXTS.size(); text++) {
            texts.add(Column.of(row, first + FIRST_TEXT + text));
        }
    }

    // Nothing at all of a column that no row has a value in.
    private static String given(String column) {
        return "case when pg_catalog.count(" + column + ") > 0 then pg_catalog.array_agg(" + column + ") end";
    }

    /** The highest sequence value. */
    long last() {
        long last = Long.MIN_VALUE;
        for (Long seq : seqs) {
            last = Math.max(last, seq);
        }
        return last;
    }

    /** Whether all rows have come along. */
    boolean areWhole() {
        return lengths.hasAll(seqs.length);
    }

    /** The rows that have come along; the others are only known to be there. Asked for once. */
    List<OutboxRow> whole() {
        var rows = new ArrayList<OutboxRow>(seqs.length);
        for (int row = 0; row < seqs.length; row++) {
            if (lengths.at(row) != null) {
                rows.add(new OutboxRow(seqs[row], Boolean.TRUE.equals(held.at(row)), content(row)));
            }
        }
        return rows;
    }

    private MessageContent content(int row) {
        Iterator<Column<String>> text = texts.iterator();
        @Nullable Long millis = timesToLive.at(row);
        @Nullable Long micros = scheduled.at(row);
        return MessageContent.builder(messageIds[row])
                .sessionId(sessions.at(row))
                .brokerMessageId(text.next().at(row))
                .partitionKey(text.next().at(row))
                .subject(text.next().at(row))
                .contentType(text.next().at(row))
                .correlationId(text.next().at(row))
                .toAddress(text.next().at(row))
                .replyTo(text.next().at(row))
                .replyToSessionId(text.next().at(row))
                .headers(text.next().at(row))
                .timeToLive(millis == null ? null : Duration.ofMillis(millis))
                .scheduledEnqueueTime(micros == null ? null : instant(micros))
                .body(body(Objects.requireNonNull(lengths.at(row))))
                .build();
    }

    private byte[] body(int length) {
        if (length == bodies.length) {
            return bodies;
        }
        byte[] part = Arrays.copyOfRange(bodies, body, body + length);
        body += length;
        return part;
    }

    // The ends of time are those that the driver gives for a single value.
    private static Instant instant(long micros) {
        if (micros == INFINITY) {
            return OffsetDateTime.MAX.toInstant();
        }
        return micros == -INFINITY ? OffsetDateTime.MIN.toInstant() : EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Values of all rows; null where no row has one. */
    private static final class Column<T> {
        private final @Nullable T @Nullable [] values;

        private Column(@Nullable T @Nullable [] values) {
            this.values = values;
        }

        @SuppressWarnings("unchecked")
        static <T> Column<T> of(ResultSet row, int column) throws SQLException {
            @Nullable Array array = row.getArray(column);
            return new Column<>(array == null ? null : (T[]) array.getArray());
        }

        @Nullable T at(int row) {
            return values == null ? null : values[row];
        }

        boolean hasAll(int rows) {
            for (int row = 0; row < rows; row++) {
                if (at(row) == null) {
                    return false;
                }
            }
            return true;
        }
    }
}
