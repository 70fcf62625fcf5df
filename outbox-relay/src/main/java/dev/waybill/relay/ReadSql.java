package dev.waybill.relay;

import dev.waybill.migrations.SchemaName;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The statements of {@link SnapshotCursorReader}. */
final class ReadSql {
    private final String table;
    private final String columns;
    private final String held;
    private final String start;
    private final String page;
    private final String moreLate;
    private final Map<String, String> pages = new ConcurrentHashMap<>();

    ReadSql(SchemaName schema) {
        table = schema.table("outbox_message");
        columns = OutboxRow.COLUMNS.stream()
                .map(column -> "m." + column.getName())
                .collect(Collectors.joining(", "));
        String nothing = OutboxRow.COLUMNS.stream().map(column -> "null").collect(Collectors.joining(", "));
        String sequence = schema.table("outbox_message_seq");
        start = START.formatted(table, sequence);
        held = HELD.formatted(schema.table("hold"));
        page = PAGE.formatted(
                table,
                columns,
                nothing,
                schema.table("outbox_pause"),
                sequence,
                Block.SHIFT,
                schema.table("hold"),
                held);
        moreLate = MORE_LATE.formatted(table, columns, held);
    }

    String start() {
        return start;
    }

    /**
     * Enters the partitions that these cursors stand before, usually one. It is another statement once the cursors have come
     * some way into a partition, because a server keeps the plan that it has made first: with one made for an empty partition
     * it would go on to read every row of a full one.
     */
    String page(Collection<Cursor> cursors) {
        int[] slots = cursors.stream()
                .mapToInt(cursor -> Block.slotAfter(cursor.position()))
                .sorted()
                .distinct()
                .toArray();
        String depth = cursors.stream().anyMatch(cursor -> Block.isDeepAfter(cursor.position())) ? "deep" : "shallow";
        return pages.computeIfAbsent(Arrays.toString(slots) + depth, key -> page(slots, depth));
    }

    private String page(int[] slots, String depth) {
        return Arrays.stream(slots)
                .mapToObj(slot -> FRESH.formatted(table, columns, slot, Block.SHIFT, Block.SLOTS - 1, held))
                .collect(Collectors.joining("", page, "-- planned for a " + depth + " partition\n"));
    }

    String moreLate() {
        return moreLate;
    }

    // The materialised step makes the planner enter by the index on xid: entered by lane, it would read all history
    // below the position. What is above all positions comes with the fresh rows and is not carried here too; "+ 0"
    // keeps the planner from looking for it by the index on seq, where it would find everything published.
    private static final String LATE_ROWS = """
            late as materialized (
              select m.xid as row_xid, m.destination, m.bucket, %2$s from %1$s m
              where (m.xid = any(array(select pg_snapshot_xip({3}::pg_snapshot)))
                  or m.xid >= pg_snapshot_xmax({3}::pg_snapshot) and m.xid < {4}::xid8)
                and m.seq + 0 <= (select max(position) from unnest({2}) as position)
            ),
            """;

    // No row that the snapshot sees comes before these positions, so nothing of it is published.
    private static final String START = """
            select l.lane::int - 1 as lane, pg_current_snapshot()::text as snapshot, coalesce(
              (select min(m.seq) - 1 from %1$s m where m.destination = l.destination and m.bucket = l.bucket),
              (select case when is_called then last_value else 0 end from %2$s)) as position
            from unnest({0}, {1}) with ordinality as l(destination, bucket, lane)
            """;

    // A lane without holds, the usual case, asks nothing of its rows.
    private static final String HELD = """
            case when l.holds and m.session_id is not null then exists (
              select from %s h where h.side = 'outbox' and h.scope = l.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String PAGE = "with " + LATE_ROWS + """
            lanes as materialized (
              select l.*, (position + 1) >> %6$s as block, exists (
                select from %7$s h where h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket) as holds
              from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
              where not exists (select from %4$s p where p.destination = l.destination)
            )
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              exists (
                select from lanes l join %7$s h on h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket
                where l.holds and h.state = 'retrying' and h.due_at <= clock_timestamp()
                  and (h.attempt_until is null or h.attempt_until <= clock_timestamp())) as held,
              case when exists (select from lanes) and is_called then last_value else 0 end as drawn, %3$s
            from pg_current_wal_insert_lsn() as written, %5$s
            union all (
              select 1, l.lane::int - 1, null, null, %8$s, null, %2$s
              from late m join lanes l using (destination, bucket)
              where m.seq <= l.position
              order by m.seq
              limit {5} * cardinality({1})
            )
            """;

    // The partition by name: through its parent, a lane would ask all of them for a row, at the price of the page
    // itself, and a condition on the partition key misleads the planner about how many rows there are.
    private static final String FRESH = """
            union all
            select 2, l.lane::int - 1, null, null, %6$s, null, %2$s
            from lanes l cross join lateral (
              select * from %1$s_%3$s r
              where r.destination = l.destination and r.bucket = l.bucket
                and r.seq > l.position and r.seq < (l.block + 1) << %4$s
              order by r.seq
              limit {5}
            ) m
            where l.block & %5$s = %3$s
            """;

    private static final String MORE_LATE = "with " + LATE_ROWS + """
            lanes as materialized (
              select l.*, true as holds
              from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
            )
            select 1 as part, l.lane::int - 1 as lane, null as snapshot, null as unflushed, %3$s as held, null as drawn,
              %2$s
            from late m join lanes l using (destination, bucket)
            where m.seq <= l.position and m.seq > {7}
              and pg_visible_in_snapshot(m.row_xid, {6}::pg_snapshot)
            order by m.seq
            limit {5} * cardinality({1})
            """;
}
