package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.HOLD;
import static dev.waybill.schema.jooq.Tables.OUTBOX_LANE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_PAUSE;
import static java.util.stream.Collectors.toMap;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldTable;
import dev.waybill.relay.HeldSessions.SetAside;
import dev.waybill.relay.ProgressTable.Settlement;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The holds of the outbox: rows go in with the settle that passes them, and come out by attempts of the bucket's
 * owner.
 */
final class OutboxHolds {
    /** A claim waits for the lanes that a settle has locked, so the settle must not wait long for a hold. */
    private static final String PATIENCE = "2s";

    private final DSLContext dsl;
    private final SchemaName schema;
    private final UUID relay;
    private final String token;
    private final HoldTable table;
    private final Attempts attempts;

    OutboxHolds(DSLContext dsl, SchemaName schema, UUID relay, String token) {
        this.dsl = dsl;
        this.schema = schema;
        this.relay = relay;
        this.token = token;
        this.table = HoldTable.in(schema);
        this.attempts = Attempts.in(schema);
    }

    /**
     * Records cursors and, in the same transaction, holds what they pass. The lanes are locked until the commit,
     * so that no successor reads these rows without their holds.
     *
     * @return as {@link ProgressTable#settle}; what was set aside in other lanes is not held
     */
    Map<Lane, Cursor> settle(Collection<Settlement> settlements, Map<Lane, List<SetAside>> held) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set local lock_timeout = {0}", inline(PATIENCE));
            List<Settlement> ours = lockLanes(tx.dsl(), settlements);
            if (ours.isEmpty()) {
                return Map.of();
            }
            Map<Lane, Cursor> recorded = new ProgressTable(tx.dsl(), schema, relay, token).settle(ours);
            hold(
                    tx.dsl(),
                    held.entrySet().stream()
                            .filter(lane -> recorded.containsKey(lane.getKey()))
                            .collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
            return recorded;
        });
    }

    /**
     * Begins attempts at holds of these buckets that are due, where this relay has the lease. The lanes are locked until the
     * commit, so that whoever takes them all sees every attempt that is under way.
     */
    List<Attempt> begin(String destination, Collection<Short> buckets, Attempts.Limits limits) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set local lock_timeout = {0}", inline(PATIENCE));
            List<Short> ours = tx.dsl()
                    .select(OUTBOX_LANE.BUCKET)
                    .from(OUTBOX_LANE)
                    .where(
                            OUTBOX_LANE.DESTINATION.eq(destination),
                            OUTBOX_LANE.BUCKET.in(buckets),
                            OUTBOX_LANE.OWNER.eq(relay))
                    .orderBy(OUTBOX_LANE.BUCKET)
                    .forShare()
                    .fetch(OUTBOX_LANE.BUCKET);
            Condition notPaused =
                    notExists(selectOne().from(OUTBOX_PAUSE).where(OUTBOX_PAUSE.DESTINATION.eq(destination)));
            return attempts.begin(
                    tx.dsl(),
                    HOLD.SIDE
                            .eq("outbox")
                            .and(HOLD.SCOPE.eq(destination))
                            .and(HOLD.BUCKET.in(ours))
                            .and(notPaused),
                    limits);
        });
    }

    /** As {@link Attempts#settle}. */
    boolean settle(Attempt attempt, List<HeldMessage> published, AttemptResult ending) {
        return attempts.settle(dsl, attempt, published, ending);
    }

    // Of one destination: a loop settles its own lanes only.
    private List<Settlement> lockLanes(DSLContext tx, Collection<Settlement> settlements) {
        Map<Short, Long> owned = tx.select(OUTBOX_LANE.BUCKET, OUTBOX_LANE.EPOCH)
                .from(OUTBOX_LANE)
                .where(OUTBOX_LANE.OWNER.eq(relay))
                .and(OUTBOX_LANE.DESTINATION.in(settlements.stream()
                        .map(s -> s.lane().destination())
                        .distinct()
                        .toList()))
                .and(OUTBOX_LANE.BUCKET.in(
                        settlements.stream().map(s -> s.lane().bucket()).toList()))
                .orderBy(OUTBOX_LANE.BUCKET)
                .forShare()
                .fetchMap(OUTBOX_LANE.BUCKET, OUTBOX_LANE.EPOCH);
        return settlements.stream()
                .filter(s -> Objects.equals(owned.get(s.lane().bucket()), s.epoch()))
                .toList();
    }

    private void hold(DSLContext tx, Map<Lane, List<SetAside>> held) {
        var byKey = new TreeMap<HoldKey, Joining>(Comparator.comparing(HoldKey::text));
        held.forEach((lane, rows) -> rows.forEach(row ->
                byKey.computeIfAbsent(row.key(), key -> new Joining(lane)).add(row)));
        byKey.forEach((key, joining) -> {
            long id = joining.cause == null ? table.join(tx, key) : table.park(tx, key, joining.cause);
            copy(tx, id, joining);
        });
    }

    private void copy(DSLContext tx, long holdId, Joining joining) {
        tx.execute(
                COPY.formatted(schema),
                val(holdId),
                val(joining.lane.destination()),
                val(joining.lane.bucket()),
                val(joining.seqs.toArray(Long[]::new)));
        table.endIfEmpty(tx, holdId);
    }

    /** The rows that go into one hold. */
    private static final class Joining {
        private final Lane lane;
        private final List<Long> seqs = new ArrayList<>();
        private @Nullable Cause cause;

        Joining(Lane lane) {
            this.lane = lane;
        }

        void add(SetAside row) {
            seqs.add(row.seq());
            if (cause == null) {
                cause = row.cause();
            }
        }
    }

    // Byte for byte, and also what no decoder understands.
    private static final String COPY = """
            insert into %1$s.held_message (
              hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
              scheduled_enqueue_time, headers, payload)
            select {0}, seq, created_at, session_id, message_id, broker_message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
              scheduled_enqueue_time, headers::text, payload
            from %1$s.outbox_row
            where destination = {1} and bucket = {2} and seq = any({3})
            order by seq
            on conflict do nothing
            """;
}
