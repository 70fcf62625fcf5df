package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statements of {@link SnapshotCursorReader}. All but the start answer first with what the read saw. Then those that look
 * at the head have the columns of a row, and those that read a page have a lane's rows as arrays. Thread-safe.
 */
class ReadSql {
    private final SchemaName schema;
    private final String columns;
    private final String row;
    private final Map<String, String> statements = new ConcurrentHashMap<>();

    ReadSql(SchemaName schema) {
        this.schema = schema;
        columns = OutboxRow.COLUMNS.stream()
                .map(column -> column.getName().equals("payload")
                        ? "case when m.whole then m.payload end"
                        : "m." + column.getName())
                .collect(Collectors.joining(", "));
        row = OutboxRow.COLUMNS.stream().map(column -> "p." + column.getName()).collect(Collectors.joining(", ")) + ", "
                + RowArrays.isRare("p") + " as rare";
    }

    String start() {
        return fill(START);
    }

    String peek() {
        return statements.computeIfAbsent("peek", key -> fill(PEEK));
    }

    /**
     * Enters the partitions that these cursors stand before, usually one. A server keeps the plan that it has made at first, and
     * reads a partition that was nearly empty then as a whole. So a partition has a second statement, told by a comment, for
     * cursors that show it to have grown.
     */
    String page(Collection<Cursor> cursors, Fit fit) {
        var grownBySlot = new TreeMap<Integer, Boolean>();
        for (Cursor cursor : cursors) {
            long position = cursor.position();
            grownBySlot.merge(RingLayout.slotAfter(position), RingLayout.isWellInside(position), Boolean::logicalOr);
        }
        String key = fit + grownBySlot.toString();
        return statements.computeIfAbsent(key, unknown -> page(grownBySlot.keySet(), fit) + "-- " + key);
    }

    private String page(Set<Integer> slots, Fit fit) {
        String fresh = fill(fit == Fit.SHARE ? FRESH_BY_SHARES : FRESH_BY_SUMS);
        return slots.stream()
                .map(slot -> fresh.replace("$slot", Integer.toString(slot)))
                .collect(Collectors.joining("", fill(PAGE), ""));
    }

    String moreLate() {
        return statements.computeIfAbsent("more late", key -> fill(MORE_LATE));
    }

    /**
     * Enters one partition, which has a second statement when it has grown, as for pages.
     *
     * @param listed whether transactions are asked for one by one besides those from a bound on
     * @param grown whether a cursor shows that the partition has grown
     * @param patient whether the server waits a moment for its log, which not every role may have it do
     */
    String head(int slot, boolean listed, boolean grown, boolean patient) {
        return statements.computeIfAbsent(
                "head" + slot + listed + grown + patient,
                key -> fill(HEAD)
                                .replace("$unseen", listed ? RUNNING_OR_FROM_BOUND : FROM_BOUND)
                                .replace("$patience", patient ? PATIENCE : "")
                                .replace("$slot", Integer.toString(slot))
                        + "-- " + grown);
    }

    private String fill(String template) {
        return WEIGHED.matcher(template)
                .replaceAll(WEIGHT)
                .replace("$most_alike", MOST_ALIKE)
                .replace("$held", HELD)
                .replace("$due", HOLDS_DUE)
                .replace("$sight", SIGHT)
                .replace("$columns", columns)
                .replace("$row", row)
                .replace("$rare(m)", RowArrays.isRare("m"))
                .replace("$nothing", RowArrays.NOTHING)
                .replace("$arrays", RowArrays.COLUMNS)
                .replace("$shift", Integer.toString(RingLayout.SHIFT))
                .replace("$mask", Integer.toString(RingLayout.SLOTS - 1))
                .replace("$bucket", "$schema.outbox_bucket")
                .replace("$schema", schema.toString());
    }

    private static final Pattern WEIGHED = Pattern.compile("\\$weight\\((\\w)\\)");

    // Headers that are compressed count as the most that a message may have: their size is known only to
    // whoever unpacks them.
    private static final String WEIGHT =
            "(octet_length($1.payload) + case when pg_column_compression($1.headers) is null"
                    + " then coalesce(pg_column_size($1.headers), 0) else 65536 end)";

    /** So many late rows with one value are sure to come together: it is drawn again when the sequence is set back. */
    private static final String MOST_ALIKE = "16";

    // No row that the snapshot sees comes before these positions, so nothing of it is published.
    private static final String START = """
            select l.lane::int - 1 as lane, pg_current_snapshot()::text as snapshot, coalesce(
              (select min(m.seq) - 1 from $schema.outbox_row m where m.destination = l.destination and m.bucket = l.bucket),
              pg_sequence_last_value('$schema.outbox_message_seq'), 0) as position
            from unnest({0}, {1}) with ordinality as l(destination, bucket, lane)
            """;

    // Under the sequence's own lock: read as a table, it shows for a moment values that nobody has drawn.
    private static final String SIGHT = """
            coalesce(pg_sequence_last_value('$schema.outbox_message_seq'), 0) as drawn,
            coalesce(pg_sequence_last_value('$schema.outbox_lane_seq'), 0) as changes""";

    private static final String PEEK = """
            select pg_current_snapshot()::text, $sight, current_setting('waybill.loop', true) = ?
            """;

    // A lane without holds, the usual case, asks nothing of its rows.
    private static final String HELD = """
            case when l.holds and m.session_id is not null then exists (
              select from $schema.hold h where h.side = 'outbox' and h.scope = l.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String HOLDS_DUE = """
            h.state = 'retrying' and h.due_at <= clock_timestamp()
                  and (h.attempt_until is null or h.attempt_until <= clock_timestamp())""";

    // The materialised step makes the planner enter by the index on xid: entered by lane, it would read all
    // history below the position. The empty string and "+ 0" keep it from the index of lanes, where it would
    // find everything published. Judged by each group's own snapshot and bound, so that a lane that stands still
    // makes no other read more. All rows with the first value come, as of new rows; ties would have all late rows
    // sorted for that.
    private static final String LATE_ROWS = """
            asked as materialized (
              select ?::text as destination, ?::text as token, ?::int as rows, ?::bigint as bytes, ?::boolean as one
            ),
            seen as materialized (
              select g.* from unnest(?::pg_snapshot[], ?::xid8[]) with ordinality as g(snapshot, next_xid, seen)
            ),
            lanes as materialized (
              select a.*, l.bucket, l.position, l.seen, l.lane::int - 1 as lane, (l.position + 1) >> $shift as block,
                exists (
                  select from $schema.hold h
                  where h.side = 'outbox' and h.scope = a.destination and h.bucket = l.bucket) as holds
              from asked a
              cross join unnest(?::smallint[], ?::bigint[], ?::int[]) with ordinality as l(bucket, position, seen, lane)
              where not exists (select from $schema.outbox_pause p where p.destination = a.destination)
            ),
            late as materialized (
              select g.seen, m.*
              from seen g
              cross join lateral (
                select r.xid as row_xid, r.* from pg_snapshot_xip(g.snapshot) as running(xid)
                cross join lateral (select * from $schema.outbox_row o where o.xid = running.xid offset 0) r
                where r.destination || '' = (select destination from asked)
                  and r.seq + 0 <= (select max(position) from lanes)
                union all
                select r.xid, r.* from $schema.outbox_row r
                where r.xid >= pg_snapshot_xmax(g.snapshot) and r.xid < g.next_xid
                  and r.destination || '' = (select destination from asked)
                  and r.seq + 0 <= (select max(position) from lanes)
                offset 0
              ) m
            ),
            late_first as (
              select l.holds, l.rows, l.bytes, m.*,
                row_number() over o as rank, sum($weight(m)) over o as running
              from (
                select m.*, l.lane from late m join lanes l on l.bucket = m.bucket and l.seen = m.seen
                where m.seq <= l.position $after
                order by m.seq
                limit (select greatest(rows * (select count(*) from lanes), $most_alike) + 1 from asked)
              ) m join lanes l on l.lane = m.lane
              window o as (order by m.seq rows unbounded preceding)
            ),
            late_fit as (
              select m.*, m.rank = 1 or m.running <= m.bytes
                and m.rank <= m.rows * (select count(*) from lanes) as fits
              from late_first m
              where m.rank <= 2
                or m.running - $weight(m) <= m.bytes and m.rank <= m.rows * (select count(*) from lanes) + 1
                or m.seq = (select min(f.seq) from late_first f)
            ),
            late_rows as (
              select m.*, m.seq <= (select max(f.seq) from late_fit f where f.fits) as whole from late_fit m
            )
            """;

    // A value that was drawn twice, as after a sequence was set back, comes with both its rows, because the next
    // read begins behind it. So it is told apart from the rows themselves whether there are more.
    private static final String LATE_PART = """
            select 1, m.lane, null, null, null, null, null, null, not bool_and(m.fits), $arrays
            from (select m.*, $late_held as held, $rare(m) as rare from late_rows m) m
            group by m.lane
            """;

    private static final String LATE_HELD = """
            case when m.holds and m.session_id is not null then exists (
              select from $schema.hold h where h.side = 'outbox' and h.scope = m.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String PAGE =
            "with " + LATE_ROWS.replace("$after", "") + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same,
              exists (
                select from lanes l join $schema.hold h
                  on h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket
                where l.holds and $due) as holds_due,
              false as more, $nothing
            from pg_current_wal_insert_lsn() as written
            union all
            """ + LATE_PART.replace("$late_held", LATE_HELD);

    // With ties, because the next read begins behind the last value: a page with room for one value only has to bring
    // all its rows.
    //
    // The partition by name: through its parent, a lane would ask all of them for a row, at the price of the
    // page itself, and a condition on the partition key misleads the planner about how many rows there are.
    private static final String NEXT_ROWS = "from $schema.outbox_message_$slot p where $next";

    private static final String NEXT_STRAGGLERS = "from $schema.outbox_straggler p"
            + " where (select exists (select from $schema.outbox_straggler)) and $next";

    private static final String NEXT = """
            p.destination = l.destination and $bucket(p.session_id, p.message_id) = l.bucket
              and p.seq > l.position and p.seq < (l.block + 1) << $shift
            order by p.seq
            fetch first (select rows + 1 from asked) rows with ties""";

    // How far a lane's rows fit is found out by their sizes alone, because rows that pass a window with their bodies
    // are copied there. Of a row that does not fit, everything but the body comes along, so that it is known to be
    // there; also behind a first row that is larger than the page.
    private static final String FRESH_BY_SUMS = next("""
            union all
            select 2, l.lane, null, null, null, null, null, null, reach.more, found.*
            from lanes l
            cross join lateral (
              select max(w.seq) as known, max(w.seq) filter (where w.fits) as fits, not bool_and(w.fits) as more
              from (
                select r.*, (r.running <= l.bytes or l.one and r.rank = 1) and r.rank <= l.rows as fits
                from (
                  select n.seq, n.weight, row_number() over o as rank, sum(n.weight) over o as running
                  from (
                    (select p.seq, $weight(p) as weight $next_rows)
                    union all
                    (select p.seq, $weight(p) as weight $next_stragglers)
                    order by seq
                    fetch first (select rows + 1 from asked) rows with ties
                  ) n
                  window o as (order by n.seq rows unbounded preceding)
                ) r
              ) w
              where w.rank <= 2 or w.running - w.weight <= l.bytes
            ) reach
            cross join lateral (
              select $arrays
              from (
                select m.*, coalesce(m.seq <= reach.fits, false) as whole, l.holds, $held as held
                from (
                  (select $row $next_rows)
                  union all
                  (select $row $next_stragglers)
                ) m
                where m.seq <= reach.known
              ) m
              having count(*) > 0
            ) found
            where l.block & $mask = $slot
            """);

    // One row more than the page has, so that it is known whether there are more. All of them have a share of the
    // bytes.
    private static final String FRESH_BY_SHARES = next("""
            union all
            select 2, l.lane, null, null, null, null, null, null, found.*
            from lanes l
            cross join lateral (
              select count(*) > l.rows, $arrays
              from (
                select m.*, l.holds, $held as held
                from (
                  (select $row, $weight(p) <= l.bytes / (l.rows + 1) as whole $next_rows)
                  union all
                  (select $row, $weight(p) <= l.bytes / (l.rows + 1) $next_stragglers)
                  order by seq
                  fetch first (select rows + 1 from asked) rows with ties
                ) m
              ) m
              having count(*) > 0
            ) found
            where l.block & $mask = $slot
            """);

    private static String next(String fresh) {
        return fresh.replace("$next_rows", NEXT_ROWS)
                .replace("$next_stragglers", NEXT_STRAGGLERS)
                .replace("$next", NEXT);
    }

    private static final String MORE_LATE = "with "
            + LATE_ROWS.replace("$after", "and m.seq > ? and pg_visible_in_snapshot(m.row_xid, ?::pg_snapshot)") + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              null::text as unflushed, $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same, false as holds_due, false as more, $nothing
            union all
            """
            + LATE_PART.replace("$late_held", LATE_HELD);

    // Few plan nodes, because the server sets all of them up for every few messages. So each row is judged by
    // its own size, not by a running sum. "|| ''" keeps the planner from the index of lanes, the upper bound
    // from reading the whole table. How far the log is flushed is asked with each row, the last time: most of
    // what was written when the rows were looked for is flushed by then, and nearly all of it after a millisecond. A
    // lane without a snapshot, which no caller asks for, would be sent again rather than passed.
    private static final String HEAD = """
            select 2 as part, m.bucket::int as lane, s.snapshot,
              case when m.whole is not null and pg_current_wal_flush_lsn() < s.written $patience
                then s.written::text end as unflushed,
              s.drawn, s.changes, s.same, s.holds_due,
              case when m.session_id is not null then exists (
                select from $schema.hold h where h.side = 'outbox' and h.scope = m.destination
                  and h.key = length(m.session_id)::text || ':' || m.session_id) else false end as held,
              coalesce(m.whole, false), $columns
            from (
              select a.*,
                case when exists (select from $schema.outbox_pause p where p.destination = a.destination)
                  then '' else pg_current_snapshot()::text end as snapshot,
                pg_current_wal_insert_lsn() as written,
                $sight,
                current_setting('waybill.loop', true) = a.token as same,
                exists (
                  select from $schema.hold h
                  where h.side = 'outbox' and h.scope = a.destination and get_byte(a.seen, h.bucket) > 0
                    and $due) as holds_due
              from (select ?::text as destination, ?::text as token, decode(?, 'hex') as seen, ?::pg_snapshot[] as snapshots) a
            ) s
            left join lateral (
              select r.*, $weight(r) <= ? as whole
              from (select *, $bucket(session_id, message_id) as bucket from $schema.outbox_message_$slot) r
              where $unseen and r.destination || '' = s.destination and get_byte(s.seen, r.bucket) > 0
                and pg_visible_in_snapshot(r.xid, s.snapshots[get_byte(s.seen, r.bucket)]) is not true
              limit ?
            ) m on s.snapshot <> ''
            """;

    // At most twice for all rows of an answer: then the statement is too old. The server rounds up to one millisecond.
    private static final String PATIENCE = """
            and (clock_timestamp() > statement_timestamp() + interval '2 milliseconds'
                or pg_sleep(0.0005)::text is null or pg_current_wal_flush_lsn() < s.written)""";

    private static final String FROM_BOUND = "r.xid >= ?::xid8 and r.xid < '9223372036854775807'::xid8";

    private static final String RUNNING_OR_FROM_BOUND = "(r.xid = any(?::xid8[]) or " + FROM_BOUND + ")";

    /** How it is decided which of a lane's rows fit into a page. */
    enum Fit {
        /** As many as together have no more bytes than the lane may. */
        SUM,

        /** All if each has no more than its share of these bytes, which it costs less to find out. Otherwise none counts. */
        SHARE
    }
}
