package dev.waybill.relay;

import static dev.waybill.migrations.jooq.Tables.OUTBOX_SUSPICION;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import dev.waybill.migrations.jooq.tables.OutboxLease;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** What is suspected of lanes. A suspicion belongs to a position; elsewhere it means nothing. */
final class SuspicionTable {
    private static final OutboxLease LEASE = OutboxLease.OUTBOX_LEASE;

    private final DSLContext dsl;
    private final UUID owner;
    private final String takeOver;

    SuspicionTable(DSLContext dsl, SchemaName schema, UUID owner) {
        this.dsl = dsl;
        this.owner = owner;
        this.takeOver = TAKE_OVER.formatted(schema.table("outbox_suspicion"), schema.table("outbox_lease"));
    }

    /** The suspicions of these lanes at the positions where they stand. */
    Map<Lane, Suspicion> load(String destination, Map<Lane, Cursor> cursors) {
        var suspicions = new HashMap<Lane, Suspicion>();
        dsl.selectFrom(OUTBOX_SUSPICION)
                .where(OUTBOX_SUSPICION.DESTINATION.eq(destination))
                .forEach(row -> {
                    var lane = new Lane(destination, row.get(OUTBOX_SUSPICION.BUCKET));
                    Cursor cursor = cursors.get(lane);
                    if (cursor != null && cursor.position() == row.get(OUTBOX_SUSPICION.POSITION)) {
                        suspicions.put(lane, suspicion(row));
                    }
                });
        return suspicions;
    }

    /** Counts a take-over of a lane with messages from an owner whose lease ran out; null if the lease is lost. */
    @Nullable Suspicion takeOver(Lane lane, Lease lease, long position) {
        @Nullable Record row = dsl.fetchOne(
                takeOver, val(lane.destination()), val(lane.bucket()), val(position), val(lease.epoch()), val(owner));
        return row == null ? null : new Suspicion(row.get("takeovers", Integer.class), row.get("started", Long.class));
    }

    /** Notes the row that is about to be sent alone, or that none is; false if the lease is lost. */
    boolean start(Lane lane, Lease lease, @Nullable Long seq) {
        return dsl.update(OUTBOX_SUSPICION)
                        .set(OUTBOX_SUSPICION.STARTED, seq)
                        .where(is(lane), isOurs(lease))
                        .execute()
                == 1;
    }

    /** The lane has moved on and is watched further. */
    void follow(Lane lane, Lease lease, long position) {
        dsl.update(OUTBOX_SUSPICION)
                .set(OUTBOX_SUSPICION.POSITION, position)
                .setNull(OUTBOX_SUSPICION.STARTED)
                .where(is(lane), isOurs(lease))
                .execute();
    }

    /** Nothing happened. */
    void clear(Lane lane, Lease lease) {
        dsl.update(OUTBOX_SUSPICION)
                .set(OUTBOX_SUSPICION.TAKEOVERS, 0)
                .setNull(OUTBOX_SUSPICION.STARTED)
                .where(is(lane), isOurs(lease))
                .execute();
    }

    private static Condition is(Lane lane) {
        return OUTBOX_SUSPICION.DESTINATION.eq(lane.destination()).and(OUTBOX_SUSPICION.BUCKET.eq(lane.bucket()));
    }

    private Condition isOurs(Lease lease) {
        return exists(DSL.selectOne()
                .from(LEASE)
                .where(LEASE.BUCKET.eq(lease.bucket()), LEASE.OWNER.eq(owner), LEASE.EPOCH.eq(lease.epoch())));
    }

    private static Suspicion suspicion(Record row) {
        return new Suspicion(row.get(OUTBOX_SUSPICION.TAKEOVERS), row.get(OUTBOX_SUSPICION.STARTED));
    }

    private static final String TAKE_OVER = """
            insert into %1$s as s (destination, bucket, position, takeovers)
            select {0}, l.bucket, {2}, 1 from %2$s l where l.bucket = {1} and l.epoch = {3} and l.owner = {4}
            on conflict (destination, bucket) do update set
              takeovers = case when s.position = excluded.position then s.takeovers + 1 else 1 end,
              started = case when s.position = excluded.position then s.started end,
              position = excluded.position
            returning takeovers, started
            """;
}
