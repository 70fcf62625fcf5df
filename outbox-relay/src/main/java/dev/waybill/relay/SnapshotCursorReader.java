package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Reads the outbox table by the snapshot cursor: see the package's invariants for why nothing is missed. */
final class SnapshotCursorReader implements OutboxReader {
    private static final int LATE = 1;
    private static final int FRESH = 2;

    private static final int PART_COLUMN = 1;
    private static final int LANE_COLUMN = 2;
    private static final int SNAPSHOT_COLUMN = 3;
    private static final int UNFLUSHED_COLUMN = 4;
    private static final int DRAWN_COLUMN = 5;
    private static final int ROW_COLUMNS = 6;

    private final DSLContext dsl;
    private final Durability durability;
    private final String start;
    private final String page;
    private final String moreLate;

    SnapshotCursorReader(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.durability = new Durability(dsl);
        String columns = String.join(
                ", ",
                OutboxRow.COLUMNS.stream()
                        .map(column -> "m." + column.getName())
                        .toList());
        String nothing = String.join(
                ", ", OutboxRow.COLUMNS.stream().map(column -> "null").toList());
        String table = schema.table("outbox_message");
        String sequence = schema.table("outbox_message_seq");
        start = START.formatted(table, sequence);
        page = PAGE.formatted(
                table, columns, nothing, schema.table("outbox_pause"), sequence, Block.SHIFT, Block.SLOTS - 1);
        moreLate = MORE_LATE.formatted(table, columns);
    }

    @Override
    public Map<Lane, Cursor> start(Collection<Lane> lanes) {
        var all = List.copyOf(lanes);
        var cursors = new HashMap<Lane, Cursor>();
        dsl.fetch(
                        start,
                        val(all.stream().map(Lane::destination).toArray(String[]::new)),
                        val(all.stream().map(Lane::bucket).toArray(Short[]::new)))
                .forEach(row -> cursors.put(
                        all.get(row.get("lane", Integer.class)),
                        new Cursor(
                                row.get("position", Long.class), row.get("snapshot", String.class), Cursor.UNBOUNDED)));
        return cursors;
    }

    @Override
    public Page read(Map<Lane, Cursor> cursors, int limit) {
        var lanes = new Lanes(cursors);
        var page = new Page.Builder(cursors.keySet());
        var seen = new Object() {
            String snapshot = "";

            @Nullable String unflushed;

            long drawn;
        };
        forEach(
                dsl.resultQuery(
                        this.page,
                        lanes.destinations(),
                        lanes.buckets(),
                        lanes.positions(),
                        lanes.snapshot(),
                        lanes.nextXid(),
                        val(limit)),
                row -> {
                    switch (row.getInt(PART_COLUMN)) {
                        case LATE -> page.addLate(row.getInt(LANE_COLUMN), new OutboxRow(row, ROW_COLUMNS));
                        case FRESH -> page.addFresh(row.getInt(LANE_COLUMN), new OutboxRow(row, ROW_COLUMNS));
                        default -> {
                            seen.snapshot = row.getString(SNAPSHOT_COLUMN);
                            seen.unflushed = row.getString(UNFLUSHED_COLUMN);
                            seen.drawn = row.getLong(DRAWN_COLUMN);
                        }
                    }
                });
        if (seen.unflushed != null && !page.isEmpty()) {
            durability.await(seen.unflushed);
        }
        return page.build(seen.snapshot, seen.drawn, limit);
    }

    @Override
    public Page readMoreLate(Map<Lane, Cursor> cursors, Page first, long afterSeq, int limit) {
        var lanes = new Lanes(cursors);
        var page = new Page.Builder(cursors.keySet());
        forEach(
                dsl.resultQuery(
                        moreLate,
                        lanes.destinations(),
                        lanes.buckets(),
                        lanes.positions(),
                        lanes.snapshot(),
                        lanes.nextXid(),
                        val(limit),
                        val(first.snapshot()),
                        val(afterSeq)),
                row -> page.addLate(row.getInt(LANE_COLUMN), new OutboxRow(row, ROW_COLUMNS)));
        return page.build(first.snapshot(), first.drawn(), limit);
    }

    // Past jOOQ's records: of all the relay does, making them cost most.
    private static void forEach(ResultQuery<Record> query, RowReader reader) {
        try (ResultSet rows = query.fetchResultSet()) {
            while (rows.next()) {
                reader.read(rows);
            }
        } catch (SQLException e) {
            throw new DataAccessException("The outbox could not be read", e);
        }
    }

    /** Takes one row of a result. */
    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Cursors as the parallel arrays that the statements take. */
    private record Lanes(Map<Lane, Cursor> cursors) {
        Field<?> destinations() {
            return val(cursors.keySet().stream().map(Lane::destination).toArray(String[]::new));
        }

        Field<?> buckets() {
            return val(cursors.keySet().stream().map(Lane::bucket).toArray(Short[]::new));
        }

        Field<?> positions() {
            return val(cursors.values().stream().map(Cursor::position).toArray(Long[]::new));
        }

        Field<?> snapshot() {
            return val(cursors.values().iterator().next().snapshot());
        }

        Field<?> nextXid() {
            return val(Long.toUnsignedString(
                    cursors.values().stream().mapToLong(Cursor::nextXid).max().orElseThrow()));
        }
    }

    // The materialised step makes the planner enter by the index on xid: entered by lane, it would read all history
    // below the position.
    private static final String LATE_ROWS = """
            late as materialized (
              select m.xid as row_xid, m.destination, m.bucket, %2$s from %1$s m
              where m.xid = any(array(select pg_snapshot_xip({3}::pg_snapshot)))
                or m.xid >= pg_snapshot_xmax({3}::pg_snapshot) and m.xid < {4}::xid8
            ),
            """;

    // No row that the snapshot sees comes before these positions, so nothing of it is published.
    private static final String START = """
            select l.lane::int - 1 as lane, pg_current_snapshot()::text as snapshot, coalesce(
              (select min(m.seq) - 1 from %1$s m where m.destination = l.destination and m.bucket = l.bucket),
              (select case when is_called then last_value else 0 end from %2$s)) as position
            from unnest({0}, {1}) with ordinality as l(destination, bucket, lane)
            """;

    // One partition per lane: asked for a row each, all of them would cost as much as the page.
    private static final String PAGE = "with " + LATE_ROWS + """
            lanes as materialized (
              select l.*, (position + 1) >> %6$s as block
              from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
              where not exists (select from %4$s p where p.destination = l.destination)
            )
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              case when exists (select from lanes) and is_called then last_value else 0 end as drawn, %3$s
            from pg_current_wal_insert_lsn() as written, %5$s
            union all (
              select 1, l.lane::int - 1, null, null, null, %2$s
              from late m join lanes l using (destination, bucket)
              where m.seq <= l.position
              order by m.seq
              limit {5}
            )
            union all
            select 2, l.lane::int - 1, null, null, null, %2$s
            from lanes l cross join lateral (
              select * from %1$s r
              where r.destination = l.destination and r.bucket = l.bucket
                and r.seq > l.position and r.seq < (l.block + 1) << %6$s
                and ((r.seq >> %6$s) & %7$s) = (l.block & %7$s)
              order by r.seq
              limit {5}
            ) m
            """;

    private static final String MORE_LATE = "with " + LATE_ROWS + """
            lanes as materialized (
              select * from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
            )
            select 1 as part, l.lane::int - 1 as lane, null as snapshot, null as unflushed, null as drawn, %2$s
            from late m join lanes l using (destination, bucket)
            where m.seq <= l.position and m.seq > {7}
              and pg_visible_in_snapshot(m.row_xid, {6}::pg_snapshot)
            order by m.seq
            limit {5}
            """;
}
