package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/** The recorded cursors: read at take-over, written by each settle. */
final class ProgressTable {
    private final DSLContext dsl;
    private final UUID owner;
    private final String load;
    private final String settle;

    ProgressTable(DSLContext dsl, SchemaName schema, UUID owner) {
        this.dsl = dsl;
        this.owner = owner;
        String progress = schema.table("outbox_progress");
        load = LOAD.formatted(schema.table("outbox_cursor"));
        settle = SETTLE.formatted(progress, schema.table("outbox_lease"));
    }

    Map<Lane, Cursor> load(String destination, Collection<Short> buckets) {
        var cursors = new HashMap<Lane, Cursor>();
        dsl.fetch(load, val(destination), val(buckets.toArray(Short[]::new)))
                .forEach(row -> cursors.put(new Lane(destination, row.get("bucket", Short.class)), cursor(row)));
        return cursors;
    }

    /**
     * Records cursors where the lease still is this owner's with this epoch.
     *
     * @return the cursors that were recorded, with the transaction id of this very settle as their bound: it is newer
     *     than the page, so no row below the position can have it or a later one
     */
    Map<Lane, Cursor> settle(List<Settlement> settlements) {
        var recorded = new HashMap<Lane, Cursor>();
        dsl.fetch(
                        settle,
                        val(settlements.stream()
                                .map(s -> s.lane().destination())
                                .toArray(String[]::new)),
                        val(settlements.stream().map(s -> s.lane().bucket()).toArray(Short[]::new)),
                        val(settlements.stream().map(s -> s.lease().epoch()).toArray(Long[]::new)),
                        val(settlements.stream().map(s -> s.cursor().position()).toArray(Long[]::new)),
                        val(settlements.stream().map(s -> s.cursor().snapshot()).toArray(String[]::new)),
                        val(owner))
                .forEach(row -> recorded.put(
                        new Lane(row.get("destination", String.class), row.get("bucket", Short.class)), cursor(row)));
        return recorded;
    }

    private static Cursor cursor(Record row) {
        return new Cursor(
                row.get("position", Long.class), row.get("snapshot", String.class), row.get("next_xid", Long.class));
    }

    /** A cursor to record, under the lease that its rows were published under. */
    record Settlement(Lane lane, Lease lease, Cursor cursor) {}

    private static final String LOAD = """
            select bucket, position, snapshot::text as snapshot, next_xid::text as next_xid
            from %s
            where destination = {0} and bucket = any({1})
            """;

    private static final String SETTLE = """
            insert into %1$s (destination, bucket, epoch, position, snapshot, next_xid)
            select s.destination, s.bucket, s.epoch, s.position, s.snapshot::pg_snapshot, pg_current_xact_id()
            from unnest({0}, {1}, {2}, {3}, {4}) as s(destination, bucket, epoch, position, snapshot)
            join %2$s l on l.bucket = s.bucket and l.epoch = s.epoch and l.owner = {5}
            returning destination, bucket, position, snapshot::text as snapshot, next_xid::text as next_xid
            """;
}
