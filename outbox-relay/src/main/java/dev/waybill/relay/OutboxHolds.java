package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_HALT;
import static dev.waybill.schema.jooq.Tables.OUTBOX_HOLD;
import static dev.waybill.schema.jooq.Tables.OUTBOX_LANE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_PAUSE;
import static java.util.Comparator.comparing;
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
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.relay.HeldSessions.RowPlace;
import dev.waybill.relay.HeldSessions.SetAside;
import dev.waybill.relay.ProgressTable.Settlement;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
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
        this.table = HoldTable.in(schema, HoldSide.OUTBOX);
        this.attempts = Attempts.in(schema, HoldSide.OUTBOX);
    }

    /**
     * Records cursors and, in the same transaction, holds what they pass. The lanes are locked until the commit,
     * so that no successor reads these rows without their holds.
     *
     * @return as {@link ProgressTable#settle}; what was set aside in other lanes is not held
     */
    Map<Lane, Cursor> settle(Collection<Settlement> settlements, Map<Lane, List<SetAside>> held) {
        return dsl.transactionResult(tx -> {
            tx.dsl().fetch(PREPARE);
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
     *
     * @throws HistoryChangedException if a relay has recorded that the outbox's history has changed; nothing has begun
     */
    List<Attempt> begin(String destination, Collection<Short> buckets, Attempts.Limits limits) {
        List<Attempt> begun = take(destination, buckets, limits);
        if (begun.isEmpty()) {
            OutboxHistory.requireNoHalt(dsl, schema);
        }
        return begun;
    }

    private List<Attempt> take(String destination, Collection<Short> buckets, Attempts.Limits limits) {
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
                    OUTBOX_HOLD
                            .DESTINATION
                            .eq(destination)
                            .and(OUTBOX_HOLD.BUCKET.in(ours))
                            .and(notPaused)
                            .and(notHalted()),
                    limits);
        });
    }

    /**
     * As {@link Attempts#settle}.
     *
     * @throws HistoryChangedException as {@link #begin}; nothing is recorded
     */
    boolean settle(Attempt attempt, List<HeldMessage> published, AttemptResult ending) {
        boolean settled = attempts.settle(dsl, attempt, published, ending, notHalted());
        if (!settled) {
            OutboxHistory.requireNoHalt(dsl, schema);
        }
        return settled;
    }

    private static Condition notHalted() {
        return notExists(selectOne().from(OUTBOX_HALT));
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

    // As many statements for thousands of holds as for one.
    private void hold(DSLContext tx, Map<Lane, List<SetAside>> held) {
        var byKey = new TreeMap<HoldKey, Joining>(comparing(HoldKey::text));
        held.forEach((lane, rows) -> rows.forEach(row ->
                byKey.computeIfAbsent(row.key(), key -> new Joining(lane)).add(row)));
        var wanted = new HashMap<HoldKey, Optional<Cause>>();
        byKey.forEach((key, joining) -> wanted.put(key, Optional.ofNullable(joining.cause)));
        Map<HoldKey, Long> ids = table.hold(tx, wanted);
        copy(tx, ids, byKey);
        table.endEmpty(tx, ids.values());
    }

    private void copy(DSLContext tx, Map<HoldKey, Long> ids, Map<HoldKey, Joining> byKey) {
        var holds = new ArrayList<Long>();
        var destinations = new ArrayList<String>();
        var buckets = new ArrayList<Short>();
        var rows = new ArrayList<RowPlace>();
        byKey.forEach((key, joining) -> joining.rows.stream()
                .sorted(comparing(RowPlace::seq))
                .forEach(row -> {
                    holds.add(Objects.requireNonNull(ids.get(key)));
                    destinations.add(joining.lane.destination());
                    buckets.add(joining.lane.bucket());
                    rows.add(row);
                }));
        tx.execute(
                COPY.formatted(schema),
                val(holds.toArray(Long[]::new)),
                val(destinations.toArray(String[]::new)),
                val(buckets.toArray(Short[]::new)),
                val(rows.stream().map(RowPlace::seq).toArray(Long[]::new)),
                texts(rows, RowPlace::sessionId),
                texts(rows, RowPlace::messageId),
                texts(rows, RowPlace::brokerMessageId));
    }

    private static Field<String[]> texts(List<RowPlace> rows, Function<RowPlace, @Nullable String> text) {
        return val(rows.stream().map(text).toArray(String[]::new));
    }

    /** The rows that go into one hold. */
    private static final class Joining {
        private final Lane lane;
        private final Set<RowPlace> rows = new LinkedHashSet<>();
        private @Nullable Cause cause;

        Joining(Lane lane) {
            this.lane = lane;
        }

        void add(SetAside row) {
            rows.add(row.row());
            if (cause == null) {
                cause = row.cause();
            }
        }
    }

    // Neither for long nor, by a plan from when a partition was empty, for each row through all of it.
    private static final String PREPARE = "select set_config('lock_timeout', '" + PATIENCE + "', true),"
            + " set_config('enable_seqscan', 'off', true)";

    // Byte for byte, and also what no decoder understands. Each row is looked up by its place, whatever the planner
    // makes of the lists, of which it knows nothing.
    private static final String COPY = """
            insert into %1$s.outbox_held_message (
              hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
              scheduled_enqueue_time, headers, payload)
            select h.id, m.seq, m.created_at, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
              m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
              m.scheduled_enqueue_time, m.headers::text, m.payload
            from unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}) with ordinality
              as h(id, destination, bucket, seq, session_id, message_id, broker_message_id, place)
            cross join lateral (
              select * from %1$s.outbox_row r
              where r.destination = h.destination and r.bucket = h.bucket and r.seq = h.seq
                and r.message_id = h.message_id and r.session_id is not distinct from h.session_id
                and coalesce(r.broker_message_id, r.message_id) = h.broker_message_id
              limit 1
            ) m
            order by h.place
            on conflict do nothing
            """;
}
