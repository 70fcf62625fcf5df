package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads the outbox table by the snapshot cursor: see the package's invariants for why nothing is missed. */
final class SnapshotCursorReader implements OutboxReader {
    private static final Field<Integer> PART = DSL.field("part", SQLDataType.INTEGER);
    private static final Field<String> SNAPSHOT = DSL.field("snapshot", SQLDataType.CLOB);
    private static final Field<String> UNFLUSHED = DSL.field("unflushed", SQLDataType.CLOB);
    private static final int LATE = 1;
    private static final int FRESH = 2;

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
        page = PAGE.formatted(table, columns, nothing, schema.table("outbox_pause"));
        moreLate = MORE_LATE.formatted(table, columns);
    }

    @Override
    public Page read(Map<Lane, Cursor> cursors, int limit) {
        var lanes = new Lanes(cursors);
        var rows = dsl.resultQuery(
                        page,
                        lanes.destinations(),
                        lanes.buckets(),
                        lanes.positions(),
                        lanes.snapshot(),
                        lanes.nextXid(),
                        val(limit))
                .coerce(columns())
                .fetch();
        return page(rows, limit);
    }

    @Override
    public Page readMoreLate(Map<Lane, Cursor> cursors, Page first, long afterSeq, int limit) {
        var lanes = new Lanes(cursors);
        var rows = dsl.resultQuery(
                        moreLate,
                        lanes.destinations(),
                        lanes.buckets(),
                        lanes.positions(),
                        lanes.snapshot(),
                        lanes.nextXid(),
                        val(limit),
                        val(first.snapshot()),
                        val(afterSeq))
                .coerce(columns())
                .fetch(OutboxRow::new);
        return Page.of(first.snapshot(), rows, List.of(), limit);
    }

    private static List<Field<?>> columns() {
        var columns = new ArrayList<Field<?>>(List.of(PART, SNAPSHOT, UNFLUSHED));
        columns.addAll(OutboxRow.COLUMNS);
        return columns;
    }

    private Page page(List<Record> rows, int limit) {
        String snapshot = "";
        @Nullable String unflushed = null;
        var late = new ArrayList<OutboxRow>();
        var fresh = new ArrayList<OutboxRow>();
        for (Record row : rows) {
            switch (row.get(PART)) {
                case LATE -> late.add(new OutboxRow(row));
                case FRESH -> fresh.add(new OutboxRow(row));
                default -> {
                    snapshot = row.get(SNAPSHOT);
                    unflushed = row.get(UNFLUSHED);
                }
            }
        }
        if (unflushed != null && !(late.isEmpty() && fresh.isEmpty())) {
            durability.await(unflushed);
        }
        return Page.of(snapshot, late, fresh, limit);
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
              select m.xid as row_xid, %2$s from %1$s m
              where m.xid = any(array(select pg_snapshot_xip({3}::pg_snapshot)))
                or m.xid >= pg_snapshot_xmax({3}::pg_snapshot) and m.xid < {4}::xid8
            ),
            """;

    private static final String PAGE = "with " + LATE_ROWS + """
            lanes as materialized (
              select * from unnest({0}, {1}, {2}) as l(destination, bucket, position)
              where not exists (select from %4$s p where p.destination = l.destination)
            )
            select 0 as part, pg_current_snapshot()::text as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed, %3$s
            from pg_current_wal_insert_lsn() as written
            union all (
              select 1, null, null, %2$s
              from late m join lanes l using (destination, bucket)
              where m.seq <= l.position
              order by m.seq
              limit {5}
            )
            union all
            select 2, null, null, %2$s
            from lanes l cross join lateral (
              select * from %1$s r
              where r.destination = l.destination and r.bucket = l.bucket and r.seq > l.position
              order by r.seq
              limit {5}
            ) m
            """;

    private static final String MORE_LATE = "with " + LATE_ROWS + """
            lanes as materialized (
              select * from unnest({0}, {1}, {2}) as l(destination, bucket, position)
            )
            select 1 as part, null as snapshot, null as unflushed, %2$s
            from late m join lanes l using (destination, bucket)
            where m.seq <= l.position and m.seq > {7}
              and pg_visible_in_snapshot(m.row_xid, {6}::pg_snapshot)
            order by m.seq
            limit {5}
            """;
}
