package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.Headers;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Searches messages by subject or application property, which have no index. Each search scans a bounded range of the newest
 * rows, and continues further back on request. Needs the grants of {@code Role.READONLY}. Thread-safe.
 */
public final class MessageSearch {
    /** The range of outbox sequence values of one search. */
    private static final long POSITIONS = 50_000;

    private static final long LETTERS = 10_000;
    private static final int HELD = 10_000;

    /** The program checks these candidates one by one. */
    private static final int MOST_CANDIDATES = 1_000;

    private static final Pattern ESCAPE = Pattern.compile("\\\\\\\\u00([0-9])([0-9A-F])");

    private final DSLContext dsl;
    private final SchemaName schema;
    private final Duration patience;

    /** Opens a search with a statement timeout. */
    public MessageSearch(DataSource pool, SchemaName schema, Duration patience) {
        this.dsl = OptionalTables.of(AutoCommitConnections.using(pool), schema);
        this.schema = schema;
        this.patience = patience;
    }

    /** The search term: the whole value of a property, or of the subject without a property. */
    public record Wanted(Optional<String> property, String text) {
        // In the JSON of both tables, the value follows its name.
        private boolean fits(Record row) {
            @Nullable String headers = row.get("headers", String.class);
            if (property.isEmpty() || headers == null) {
                return property.isEmpty();
            }
            try {
                @Nullable Object value = Headers.read(headers).get(property.get());
                return value != null && text.equals(String.valueOf(value));
            } catch (IllegalArgumentException e) {
                // A statement of the application wrote the row with unreadable properties.
                return false;
            }
        }
    }

    /** A match; {@code place} is a destination, a scope or an entity. */
    public record Found(String kind, String place, String message, Named named, Instant at) {}

    public record Named(@Nullable String session, @Nullable String subject) {}

    /** The continuation point: the search scans rows before these numbers. */
    public record Place(long position, long letter, long hold, long inHold) {
        private static final Place NEWEST = new Place(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** The scanned range; {@code since} is the time of its first outbox row. */
    public record Looked(long rows, @Nullable Instant since, long letters, long held) {}

    /** The matches, the newest first, whether more exist, and where to continue. */
    public record Answer(
            List<Found> found,
            boolean cut,
            Looked looked,
            @Nullable Place next) {}

    /** Scans the newest range, or the range before a place. */
    public Answer search(Wanted wanted, @Nullable Place before, int most) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read, read only");
            tx.dsl().execute("set local jit = off");
            tx.dsl().execute("set local statement_timeout = " + patience.toMillis());
            return new Stretch(tx.dsl(), wanted, most).answer(before == null ? Place.NEWEST : before);
        });
    }

    private final class Stretch {
        private final DSLContext tx;
        private final Wanted wanted;
        private final int most;
        private final List<Found> found = new ArrayList<>();
        private boolean cut;

        Stretch(DSLContext tx, Wanted wanted, int most) {
            this.tx = tx;
            this.wanted = wanted;
            this.most = most;
        }

        Answer answer(Place before) {
            long position = Math.min(before.position, newestOf(NEWEST_POSITION) + 1);
            long letter = Math.min(before.letter, newestOf(NEWEST_LETTER) + 1);
            Place first = first(position, letter, before);
            Record outbox = take("outbox", OUTBOX, first.position, position);
            Record letters = take("dead letter", DEAD_LETTERS, first.letter, letter);
            Record held = take("held", behind(before, HOLDS), before.hold, before.inHold);
            found.sort(Comparator.comparing(Found::at).reversed());
            boolean over = oldestPosition() >= first.position && first.letter == 0 && first.hold == 0;
            return new Answer(
                    found.size() > most ? found.subList(0, most) : found,
                    cut || found.size() > most,
                    new Looked(
                            outbox.get("looked", Long.class),
                            time(outbox),
                            letters.get("looked", Long.class),
                            held.get("looked", Long.class)),
                    over ? null : first);
        }

        // Dead-letter numbers have gaps, so the range counts letters.
        private Place first(long position, long letter, Place before) {
            long firstLetter = tx.fetchOptional(FIRST_LETTER.formatted(schema), val(letter), val(LETTERS - 1))
                    .map(row -> row.get("id", Long.class))
                    .orElse(0L);
            Optional<Record> held =
                    tx.fetchOptional(behind(before, FIRST_HELD).formatted(schema), val(HELD - 1), val(HELD));
            return new Place(
                    Math.max(0, position - POSITIONS),
                    firstLetter,
                    held.map(row -> row.get("hold_id", Long.class)).orElse(0L),
                    held.map(row -> row.get("place", Long.class)).orElse(0L));
        }

        private long newestOf(String query) {
            @Nullable Long newest = tx.fetchSingle(query.formatted(schema)).get(0, Long.class);
            return newest == null ? -1 : newest;
        }

        private long oldestPosition() {
            @Nullable Long oldest = tx.fetchSingle(OLDEST_POSITION.formatted(schema)).get(0, Long.class);
            return oldest == null ? Long.MAX_VALUE : oldest;
        }

        private Record take(String kind, String query, long from, long until) {
            List<? extends Record> rows = tx.fetch(
                    query.formatted(schema, wanted.property.isEmpty() ? SUBJECT : PROPERTY, from, until),
                    val(wanted.text, SQLDataType.VARCHAR),
                    val(plain(json(wanted.property.orElse(""))), SQLDataType.VARCHAR),
                    val(plain(inside(json(wanted.text))), SQLDataType.VARCHAR),
                    val(MOST_CANDIDATES),
                    val(member(wanted), SQLDataType.VARCHAR),
                    val(HELD));
            cut |= rows.size() == MOST_CANDIDATES;
            rows.stream()
                    .filter(row -> row.get("message_id") != null && wanted.fits(row))
                    .map(row -> found(kind, row))
                    .forEach(found::add);
            return rows.get(0);
        }
    }

    private static String json(String text) {
        String object = Headers.write(Map.of("n", text));
        return object.substring(object.indexOf(':') + 1, object.length() - 1).strip();
    }

    // The JSON text of the member in each form that a row may contain. A part of another value may match, so the
    // program checks
    // candidates.
    private static String member(Wanted wanted) {
        return pattern(json(wanted.property.orElse(""))) + ":\\s*(\\{\\s*\"[^\"]*\":\\s*)?\"?"
                + pattern(inside(json(wanted.text))) + "\"?\\s*[,}]";
    }

    // PostgreSQL writes hexadecimal digits of an escape in lower case, programs in upper case.
    private static String pattern(String json) {
        String text = json.replaceAll("[.\\[\\]{}()*+?|^$\\\\]", "\\\\$0");
        return ESCAPE.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement("\\\\u00" + found.group(1) + "[" + found.group(2)
                        + found.group(2).toLowerCase(Locale.ROOT) + "]"));
    }

    // A cheap pre-filter.
    private static String plain(String json) {
        return json.contains("\\u") ? "" : json;
    }

    private static String inside(String quoted) {
        return quoted.substring(1, quoted.length() - 1);
    }

    private static Found found(String kind, Record row) {
        return new Found(
                kind,
                row.get("place", String.class),
                row.get("message_id", String.class),
                new Named(row.get("session_id", String.class), row.get("subject", String.class)),
                row.get("at", OffsetDateTime.class).toInstant());
    }

    private static @Nullable Instant time(Record row) {
        @Nullable OffsetDateTime since = row.get("since", OffsetDateTime.class);
        return since == null ? null : since.toInstant();
    }

    // One index step for each destination finds the newest position.
    private static final String KNOWN = """
            with recursive known as (
              (select destination from %1$s.outbox_message order by destination limit 1)
              union all
              select (select m.destination from %1$s.outbox_message m where m.destination > known.destination
                      order by m.destination limit 1)
              from known where known.destination is not null)
            """;

    private static final String NEWEST_POSITION = KNOWN + ends("max", "desc");

    private static final String OLDEST_POSITION = KNOWN + ends("min", "asc");

    private static String ends(String which, String order) {
        return "select " + which + "(x.seq) from known cross join lateral (select m.seq from %1$s.outbox_message m"
                + " where m.destination = known.destination order by m.seq " + order + " limit 1) x";
    }

    private static final String NEWEST_LETTER = "select max(id) from %1$s.dead_letter_message";

    private static final String FIRST_LETTER =
            "select id from %1$s.dead_letter_message where id < {0} order by id desc offset {1} limit 1";

    // Both sides number their holds from one, so the outbox gets even and the inbox odd numbers.
    private static final String FIRST_HELD = """
            select hold_id, place from (
              (select hold_id * 2 as hold_id, place from %1$s.outbox_held_message
               where (hold_id, place) < $outbox order by hold_id desc, place desc limit {1})
              union all
              (select hold_id * 2 + 1, place from %1$s.inbox_held_message
               where (hold_id, place) < $inbox order by hold_id desc, place desc limit {1})) held
            order by hold_id desc, place desc offset {0} limit 1
            """;

    private static String behind(Place place, String query) {
        long half = place.hold / 2;
        boolean inbox = place.hold % 2 == 1;
        return query.replace("$outbox", inbox ? tuple(half + 1, 0) : tuple(half, place.inHold))
                .replace("$inbox", tuple(half, inbox ? place.inHold : 0));
    }

    private static String tuple(long hold, long place) {
        return "(" + hold + ", " + place + ")";
    }

    private static final String SUBJECT = "subject = {0}";
    private static final String PROPERTY =
            "position({1} in headers) > 0 and position({2} in headers) > 0 and headers ~ {4}";

    /** Counts the range and returns its candidates. */
    private static final String FOUND = """
            select t.looked, t.since, m.* from (select count(*) as looked, min(at) as since from stretch) t
            left join lateral (select * from stretch where %2$s order by at desc limit {3}) m on true
            """;

    // The outbox renders JSON with a blank after each colon; values equal those of the other tables.
    private static final String OUTBOX = KNOWN + """
            , stretch as materialized (
              select m.destination as place, m.message_id, m.session_id, m.subject, m.created_at as at,
                m.headers::text as headers
              from known join %1$s.outbox_message m
                on m.destination = known.destination and m.seq >= %3$s and m.seq < %4$s)
            """ + FOUND;

    private static final String DEAD_LETTERS = """
            with stretch as materialized (
              select entity as place, message_id, session_id, subject, collected_at as at, headers
              from %1$s.dead_letter where id >= %3$s and id < %4$s)
            """ + FOUND;

    private static final String HOLDS = """
            with stretch as materialized (
              select * from (
                (select x.hold_id * 2 as hold, x.place as in_hold, h.destination as place, x.message_id, x.session_id,
                  x.subject, x.origin_time as at, x.headers
                 from (select * from %1$s.outbox_held_message where (hold_id, place) < $outbox
                   order by hold_id desc, place desc limit {5}) x
                 join %1$s.outbox_hold h on h.id = x.hold_id)
                union all
                (select x.hold_id * 2 + 1, x.place, h.consumer, x.message_id, x.session_id, x.subject, x.origin_time, x.headers
                 from (select * from %1$s.inbox_held_message where (hold_id, place) < $inbox
                   order by hold_id desc, place desc limit {5}) x
                 join %1$s.inbox_hold h on h.id = x.hold_id)) held
              order by hold desc, in_hold desc limit {5})
            """ + FOUND;
}
