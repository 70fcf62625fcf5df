package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    private static final int HELD_COLUMN = 5;
    private static final int ROW_COLUMNS = 6;

    private final DSLContext dsl;
    private final Durability durability;
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
        page = PAGE.replace("$held", HELD.formatted("%5$s"))
                .formatted(table, columns, nothing, schema.table("outbox_pause"), schema.table("hold"));
        moreLate = MORE_LATE.replace("$held", HELD.formatted("%3$s")).formatted(table, columns, schema.table("hold"));
    }

    @Override
    public Page read(Map<Lane, Cursor> cursors, int limit) {
        var lanes = new Lanes(cursors);
        var page = new Page.Builder(cursors.keySet());
        var seen = new Object() {
            String snapshot = "";

            @Nullable String unflushed;

            boolean holdsDue;
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
                        case LATE -> page.addLate(row.getInt(LANE_COLUMN), row(row));
                        case FRESH -> page.addFresh(row.getInt(LANE_COLUMN), row(row));
                        default -> {
                            seen.snapshot = row.getString(SNAPSHOT_COLUMN);
                            seen.unflushed = row.getString(UNFLUSHED_COLUMN);
                            seen.holdsDue = row.getBoolean(HELD_COLUMN);
                        }
                    }
                });
        if (seen.unflushed != null && !page.isEmpty()) {
            durability.await(seen.unflushed);
        }
        return page.build(seen.snapshot, limit, seen.holdsDue);
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
                row -> page.addLate(row.getInt(LANE_COLUMN), row(row)));
        return page.build(first.snapshot(), limit, false);
    }

    private static OutboxRow row(ResultSet row) throws SQLException {
        return new OutboxRow(row, ROW_COLUMNS, row.getBoolean(HELD_COLUMN));
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

    // A lane without holds, the usual case, asks nothing of its rows.
    private static final String HELD = """
            case when l.holds and m.session_id is not null then exists (
              select from %s h where h.side = 'outbox' and h.scope = l.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String PAGE = "with " + LATE_ROWS + """
            lanes as materialized (
              select l.*, exists (
                select from %5$s h where h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket) as holds
              from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
              where not exists (select from %4$s p where p.destination = l.destination)
            )
            select 0 as part, 0 as lane, pg_current_snapshot()::text as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              exists (
                select from lanes l join %5$s h on h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket
                where l.holds and h.state = 'retrying' and h.due_at <= clock_timestamp()
                  and (h.attempt_until is null or h.attempt_until <= clock_timestamp())) as held, %3$s
            from pg_current_wal_insert_lsn() as written
            union all (
              select 1, l.lane::int - 1, null, null, $held, %2$s
              from late m join lanes l using (destination, bucket)
              where m.seq <= l.position
              order by m.seq
              limit {5}
            )
            union all
            select 2, l.lane::int - 1, null, null, $held, %2$s
            from lanes l cross join lateral (
              select * from %1$s r
              where r.destination = l.destination and r.bucket = l.bucket and r.seq > l.position
              order by r.seq
              limit {5}
            ) m
            """;

    private static final String MORE_LATE = "with " + LATE_ROWS + """
            lanes as materialized (
              select l.*, true as holds
              from unnest({0}, {1}, {2}) with ordinality as l(destination, bucket, position, lane)
            )
            select 1 as part, l.lane::int - 1 as lane, null as snapshot, null as unflushed, $held as held, %2$s
            from late m join lanes l using (destination, bucket)
            where m.seq <= l.position and m.seq > {7}
              and pg_visible_in_snapshot(m.row_xid, {6}::pg_snapshot)
            order by m.seq
            limit {5}
            """;
}
