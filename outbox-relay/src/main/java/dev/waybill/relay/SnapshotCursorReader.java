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
    private static final int HELD_COLUMN = 5;
    private static final int DRAWN_COLUMN = 6;
    private static final int ROW_COLUMNS = 7;

    private final DSLContext dsl;
    private final Durability durability;
    private final ReadSql sql;

    SnapshotCursorReader(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.durability = new Durability(dsl);
        this.sql = new ReadSql(schema);
    }

    @Override
    public Map<Lane, Cursor> start(Collection<Lane> lanes) {
        var all = List.copyOf(lanes);
        var cursors = new HashMap<Lane, Cursor>();
        dsl.fetch(
                        sql.start(),
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

            boolean holdsDue;
        };
        forEach(
                dsl.resultQuery(
                        sql.page(cursors.values()),
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
                            seen.drawn = row.getLong(DRAWN_COLUMN);
                            seen.holdsDue = row.getBoolean(HELD_COLUMN);
                        }
                    }
                });
        if (seen.unflushed != null && !page.isEmpty()) {
            durability.await(seen.unflushed);
        }
        return page.build(seen.snapshot, seen.drawn, limit, seen.holdsDue);
    }

    @Override
    public Page readMoreLate(Map<Lane, Cursor> cursors, Page first, long afterSeq, int limit) {
        var lanes = new Lanes(cursors);
        var page = new Page.Builder(cursors.keySet());
        forEach(
                dsl.resultQuery(
                        sql.moreLate(),
                        lanes.destinations(),
                        lanes.buckets(),
                        lanes.positions(),
                        lanes.snapshot(),
                        lanes.nextXid(),
                        val(limit),
                        val(first.snapshot()),
                        val(afterSeq)),
                row -> page.addLate(row.getInt(LANE_COLUMN), row(row)));
        return page.build(first.snapshot(), first.drawn(), limit, false);
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
}
