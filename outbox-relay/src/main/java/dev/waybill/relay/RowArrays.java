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
    /** Texts that most messages have, or none of a destination's. */
    private static final List<String> COMMON = List.of("session_id", "subject", "content_type", "headers");

    /** Texts that few messages have. */
    private static final List<String> RARE_TEXTS = List.of(
            "broker_message_id", "partition_key", "correlation_id", "to_address", "reply_to", "reply_to_session_id");

    private static final long INFINITY = Long.MAX_VALUE;

    // Where the server begins to count: from 1970 on, its last years are beyond what a bigint can hold.
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    // In microseconds, because the driver reads arrays of time stamps by way of a time zone.
    private static final String SCHEDULED =
            ("case when isfinite(%1$s) then ((extract(epoch from %1$s) - %2$s) * 1000000)::bigint"
                            + " else case %1$s when 'infinity' then %3$s when '-infinity' then -%3$s end end")
                    .formatted("m.scheduled_enqueue_time", EPOCH.getEpochSecond(), INFINITY);

    private static final List<String> RARE = Stream.concat(
                    Stream.of("m.time_to_live", SCHEDULED), RARE_TEXTS.stream().map(column -> "m." + column))
            .toList();

    /**
     * Of rows {@code m} that know whether they are whole, which is whether their bodies come along, whether their lane has holds
     * and they are held, and whether they have any of what few have. That comes for those rows only, because an aggregate that
     * is told to leave a row out costs next to nothing. The functions have their full names, because one of the same name in the
     * search path would come first if it took the column's very type.
     */
    static final String COLUMNS = Stream.of(
                    Stream.of(
                            "pg_catalog.array_agg(m.seq)",
                            "pg_catalog.array_agg(m.held) filter (where m.holds)",
                            "pg_catalog.array_agg(m.message_id)",
                            "pg_catalog.array_agg(case when m.whole then octet_length(m.payload) end)",
                            "pg_catalog.string_agg(case when m.whole then m.payload end, null)",
                            "case when bool_or(m.rare) then pg_catalog.array_agg(m.rare) end"),
                    COMMON.stream().map(RowArrays::given),
                    RARE.stream().map(value -> "pg_catalog.array_agg(" + value + ") filter (where m.rare)"))
            .flatMap(columns -> columns)
            .collect(Collectors.joining(", "));

    private static final int FIRST_COMMON = 6;
    private static final int FIRST_RARE = FIRST_COMMON + COMMON.size();

    /** As many columns without anything. */
    static final String NOTHING = "null, ".repeat(FIRST_RARE + RARE.size() - 1) + "null";

    private static final byte[] EMPTY = {};

    private final Long[] seqs;
    private final Column<Boolean> held;
    private final String[] messageIds;
    private final Column<Integer> lengths;
    private final byte[] bodies;
    private final Column<Boolean> rare;
    private final List<Column<String>> common;
    private final Column<Long> timesToLive;
    private final Column<Long> scheduled;
    private final List<Column<String>> rareTexts;
    private int body;
    private int rareRow;

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
        rare = Column.of(row, first + 5);
        common = texts(row, first + FIRST_COMMON, COMMON.size());
        timesToLive = Column.of(row, first + FIRST_RARE);
        scheduled = Column.of(row, first + FIRST_RARE + 1);
        rareTexts = texts(row, first + FIRST_RARE + 2, RARE_TEXTS.size());
    }

    private static List<Column<String>> texts(ResultSet row, int first, int count) throws SQLException {
        var texts = new ArrayList<Column<String>>(count);
        for (int text = 0; text < count; text++) {
            texts.add(Column.of(row, first + text));
        }
        return texts;
    }

    /** Whether a row has anything that few have. */
    static String isRare(String row) {
        return Stream.concat(Stream.of("time_to_live", "scheduled_enqueue_time"), RARE_TEXTS.stream())
                .map(column -> row + "." + column)
                .collect(Collectors.joining(", ", "pg_catalog.num_nonnulls(", ") > 0"));
    }

    // Nothing at all of a column that no row has a value in. Only JSON is not text already.
    private static String given(String column) {
        return "case when pg_catalog.count(m.%1$s) > 0 then pg_catalog.array_agg(m.%1$s::text) end".formatted(column);
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
            boolean more = Boolean.TRUE.equals(rare.at(row));
            if (lengths.at(row) != null) {
                MessageContent.Builder content = content(row);
                if (more) {
                    addRare(content);
                }
                rows.add(new OutboxRow(seqs[row], Boolean.TRUE.equals(held.at(row)), content.build()));
            }
            rareRow += more ? 1 : 0;
        }
        return rows;
    }

    private MessageContent.Builder content(int row) {
        Iterator<Column<String>> text = common.iterator();
        return MessageContent.builder(messageIds[row])
                .sessionId(text.next().at(row))
                .subject(text.next().at(row))
                .contentType(text.next().at(row))
                .headers(text.next().at(row))
                .body(body(Objects.requireNonNull(lengths.at(row))));
    }

    private void addRare(MessageContent.Builder content) {
        @Nullable Long millis = timesToLive.at(rareRow);
        @Nullable Long micros = scheduled.at(rareRow);
        Iterator<Column<String>> text = rareTexts.iterator();
        content.timeToLive(millis == null ? null : Duration.ofMillis(millis))
                .scheduledEnqueueTime(micros == null ? null : instant(micros))
                .brokerMessageId(text.next().at(rareRow))
                .partitionKey(text.next().at(rareRow))
                .correlationId(text.next().at(rareRow))
                .toAddress(text.next().at(rareRow))
                .replyTo(text.next().at(rareRow))
                .replyToSessionId(text.next().at(rareRow));
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

    /** Values of some rows; null where none has one. */
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
