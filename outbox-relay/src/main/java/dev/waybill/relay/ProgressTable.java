package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.Cursor.LateRows;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The recorded cursors: read at take-over, written by each settle; that one past jOOQ, because it runs all the time. */
final class ProgressTable {
    private final DSLContext dsl;
    private final UUID relay;
    private final String token;
    private final String load;
    private final String settle;

    /** @param token of the server process that the cursors were read on */
    ProgressTable(DSLContext dsl, SchemaName schema, UUID relay, String token) {
        this.dsl = dsl;
        this.relay = relay;
        this.token = token;
        load = LOAD.formatted(schema);
        settle = SETTLE.formatted(schema, LoopConnection.SETTING);
    }

    Map<Lane, Cursor> load(String destination, Collection<Short> buckets) {
        var cursors = new HashMap<Lane, Cursor>();
        dsl.fetch(load, val(destination), val(buckets.toArray(Short[]::new)))
                .forEach(row -> cursors.put(new Lane(destination, row.get("bucket", Short.class)), cursor(row)));
        return cursors;
    }

    /**
     * Records cursors of one destination where the lane still is this relay's with this epoch, and only if the server process
     * is the one that they were read on, its counters have not gone back since, and no relay has found that they had.
     *
     * @return the cursors that were recorded, with the transaction id of this very settle as their bound: it is newer
     *     than the page, so no row below the position can have it or a later one
     */
    Map<Lane, Cursor> settle(List<Settlement> settlements) {
        if (settlements.isEmpty()) {
            return Map.of();
        }
        return dsl.connectionResult(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(settle)) {
                bind(statement, settlements);
                return recorded(settlements, statement);
            }
        });
    }

    private void bind(PreparedStatement statement, List<Settlement> settlements) throws SQLException {
        var buckets = CursorArrays.array();
        var epochs = CursorArrays.array();
        var positions = CursorArrays.array();
        var snapshots = CursorArrays.array();
        var lateSnapshots = CursorArrays.array();
        var lateReached = CursorArrays.array();
        for (Settlement settlement : settlements) {
            buckets.add(Short.toString(settlement.lane().bucket()));
            epochs.add(Long.toString(settlement.epoch()));
            positions.add(Long.toString(settlement.cursor().position()));
            snapshots.add('"' + settlement.cursor().snapshot() + '"');
            lateSnapshots.add('"' + settlement.cursor().lateSnapshot() + '"');
            lateReached.add(Long.toString(settlement.cursor().lateReached()));
        }
        int next = 1;
        statement.setObject(next++, buckets.toString(), Types.OTHER);
        statement.setObject(next++, epochs.toString(), Types.OTHER);
        statement.setObject(next++, positions.toString(), Types.OTHER);
        statement.setObject(next++, snapshots.toString(), Types.OTHER);
        statement.setObject(next++, lateSnapshots.toString(), Types.OTHER);
        statement.setObject(next++, lateReached.toString(), Types.OTHER);
        statement.setString(next++, settlements.get(0).lane().destination());
        statement.setObject(next++, relay);
        statement.setString(next, token);
    }

    private static Map<Lane, Cursor> recorded(List<Settlement> settlements, PreparedStatement statement)
            throws SQLException {
        var nextXids = new HashMap<Short, Long>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                nextXids.put(row.getShort("bucket"), row.getLong("next_xid"));
            }
        }
        var recorded = new HashMap<Lane, Cursor>();
        for (Settlement settlement : settlements) {
            @Nullable Long nextXid = nextXids.get(settlement.lane().bucket());
            if (nextXid != null) {
                Cursor cursor = settlement.cursor();
                recorded.put(
                        settlement.lane(), new Cursor(cursor.position(), cursor.snapshot(), nextXid, cursor.late()));
            }
        }
        return recorded;
    }

    private static Cursor cursor(Record row) {
        @Nullable String lateSnapshot = row.get("late_snapshot", String.class);
        return new Cursor(
                row.get("position", Long.class),
                row.get("snapshot", String.class),
                row.get("next_xid", Long.class),
                lateSnapshot == null ? null : new LateRows(lateSnapshot, row.get("late_reached", Long.class)));
    }

    /** A cursor to record, under the epoch that its rows were published under. */
    record Settlement(Lane lane, long epoch, Cursor cursor) {}

    private static final String LOAD = """
            select bucket, position, snapshot::text as snapshot, next_xid::text as next_xid,
              late_snapshot::text as late_snapshot, late_reached
            from %s.outbox_cursor
            where destination = {0} and bucket = any({1})
            """;

    // A settle that is lost with the server is made good by sending again, so it need not wait for the disk. Set for
    // one transaction: behind a pooler, somebody else has the session next. Values that are the same for all lanes are
    // asked for once. Arrays without nulls: a server may be told to read these as texts.
    private static final String SETTLE = """
            insert into %1$s.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid, late_snapshot, late_reached)
            select l.destination, s.bucket, s.epoch, s.position, s.snapshot, c.next_xid,
              case when s.late_reached > 0 then s.late_snapshot end, nullif(s.late_reached, 0)
            from (
              select set_config('synchronous_commit', 'off', true) as flush, current_setting('%2$s', true) as token,
                coalesce(pg_sequence_last_value('%1$s.outbox_message_seq'), 0) as drawn, pg_current_xact_id() as next_xid
            ) c
            cross join unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::pg_snapshot[], ?::pg_snapshot[], ?::bigint[])
              as s(bucket, epoch, position, snapshot, late_snapshot, late_reached)
            join %1$s.outbox_lane l
              on l.destination = ? and l.bucket = s.bucket and l.epoch = s.epoch and l.owner = ?
            where c.flush = 'off' and c.token = ? and s.position <= c.drawn
              and pg_snapshot_xmax(s.late_snapshot) <= c.next_xid
              and not exists (select from %1$s.outbox_halt)
            returning bucket, next_xid::text as next_xid
            """;
}
