package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_SUSPICION;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.jooq.tables.OutboxLane;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Suspicions against lanes. Each belongs to where a lane stands: its position, and how far its late rows have come. Elsewhere it means nothing. */
final class CrashSuspectTable {
    private static final OutboxLane LANE = OutboxLane.OUTBOX_LANE;

    private final DSLContext dsl;
    private final UUID owner;
    private final String takeOver;

    CrashSuspectTable(DSLContext dsl, SchemaName schema, UUID owner) {
        this.dsl = dsl;
        this.owner = owner;
        this.takeOver = TAKE_OVER.formatted(schema.table("outbox_suspicion"), schema.table("outbox_lane"));
    }

    /** The suspicions of these lanes at the positions where they stand. */
    Map<Lane, CrashSuspect> load(String destination, Map<Lane, Cursor> cursors) {
        var suspicions = new HashMap<Lane, CrashSuspect>();
        dsl.selectFrom(OUTBOX_SUSPICION)
                .where(OUTBOX_SUSPICION.DESTINATION.eq(destination))
                .forEach(row -> {
                    var lane = new Lane(destination, row.get(OUTBOX_SUSPICION.BUCKET));
                    @Nullable Cursor cursor = cursors.get(lane);
                    if (cursor != null
                            && cursor.position() == row.get(OUTBOX_SUSPICION.POSITION)
                            && cursor.lateReached() == row.get(OUTBOX_SUSPICION.LATE_REACHED)) {
                        suspicions.put(lane, suspicion(row));
                    }
                });
        return suspicions;
    }

    /** Counts a take-over of a lane with messages from an owner whose lease ran out; null if the lease is lost. */
    @Nullable CrashSuspect takeOver(Lane lane, long epoch, Cursor cursor) {
        @Nullable Record row = dsl.fetchOne(
                takeOver,
                val(lane.destination()),
                val(lane.bucket()),
                val(cursor.position()),
                val(epoch),
                val(owner),
                val(cursor.lateReached()));
        return row == null
                ? null
                : new CrashSuspect(
                        row.get("takeovers", Integer.class),
                        row.get("accused", Long.class),
                        row.get("accusations", Integer.class),
                        Set.copyOf(List.of(row.get("culprits", Long[].class))));
    }

    /** Notes the row that is about to be sent alone, or that none is; false if the lease is lost. */
    boolean start(Lane lane, long epoch, @Nullable Long seq) {
        return dsl.update(OUTBOX_SUSPICION)
                        .set(OUTBOX_SUSPICION.STARTED, seq)
                        .where(is(lane), isOurs(lane, epoch))
                        .execute()
                == 1;
    }

    /** Notes, before it is dealt with, that a row is not to be sent any more; false if the lease is lost. */
    boolean convict(Lane lane, long epoch, long seq) {
        return dsl.update(OUTBOX_SUSPICION)
                        .set(OUTBOX_SUSPICION.CULPRITS, DSL.arrayAppend(OUTBOX_SUSPICION.CULPRITS, seq))
                        .where(is(lane), isOurs(lane, epoch))
                        .execute()
                == 1;
    }

    /** The lane has moved on and is watched further. */
    void follow(Lane lane, long epoch, Cursor cursor) {
        reset(
                lane,
                epoch,
                Map.of(
                        OUTBOX_SUSPICION.POSITION,
                        cursor.position(),
                        OUTBOX_SUSPICION.LATE_REACHED,
                        cursor.lateReached()));
    }

    /** The lane has nothing more to fear. */
    void clear(Lane lane, long epoch) {
        reset(lane, epoch, Map.of(OUTBOX_SUSPICION.TAKEOVERS, 0));
    }

    private void reset(Lane lane, long epoch, Map<? extends Field<?>, ?> change) {
        dsl.update(OUTBOX_SUSPICION)
                .set(change)
                .setNull(OUTBOX_SUSPICION.STARTED)
                .setNull(OUTBOX_SUSPICION.ACCUSED)
                .set(OUTBOX_SUSPICION.ACCUSATIONS, 0)
                .set(OUTBOX_SUSPICION.CULPRITS, new Long[0])
                .where(is(lane), isOurs(lane, epoch))
                .execute();
    }

    private static Condition is(Lane lane) {
        return OUTBOX_SUSPICION.DESTINATION.eq(lane.destination()).and(OUTBOX_SUSPICION.BUCKET.eq(lane.bucket()));
    }

    private Condition isOurs(Lane lane, long epoch) {
        return exists(DSL.selectOne()
                .from(LANE)
                .where(
                        LANE.DESTINATION.eq(lane.destination()),
                        LANE.BUCKET.eq(lane.bucket()),
                        LANE.OWNER.eq(owner),
                        LANE.EPOCH.eq(epoch)));
    }

    private static CrashSuspect suspicion(Record row) {
        return new CrashSuspect(
                row.get(OUTBOX_SUSPICION.TAKEOVERS),
                row.get(OUTBOX_SUSPICION.ACCUSED),
                row.get(OUTBOX_SUSPICION.ACCUSATIONS),
                Set.copyOf(List.of(row.get(OUTBOX_SUSPICION.CULPRITS))));
    }

    private static final String TAKE_OVER = """
            insert into %1$s as s (destination, bucket, position, late_reached, epoch, takeovers)
            select {0}, l.bucket, {2}, {5}, l.epoch, 1 from %2$s l
            where l.destination = {0} and l.bucket = {1} and l.epoch = {3} and l.owner = {4}
            on conflict (destination, bucket) do update set
              takeovers = case
                when (s.position, s.late_reached) <> (excluded.position, excluded.late_reached) then 1
                when s.epoch = excluded.epoch then s.takeovers
                else s.takeovers + 1 end,
              accused = case
                when (s.position, s.late_reached) <> (excluded.position, excluded.late_reached) then null
                when s.epoch = excluded.epoch then s.accused
                else coalesce(s.started, s.accused) end,
              accusations = case
                when (s.position, s.late_reached) <> (excluded.position, excluded.late_reached) then 0
                when s.epoch = excluded.epoch or s.started is null then s.accusations
                when s.started = s.accused then s.accusations + 1
                else 1 end,
              culprits = case when (s.position, s.late_reached) = (excluded.position, excluded.late_reached)
                then s.culprits else '{}' end,
              started = null,
              epoch = excluded.epoch,
              position = excluded.position,
              late_reached = excluded.late_reached
            returning takeovers, accused, accusations, culprits
            """;
}
