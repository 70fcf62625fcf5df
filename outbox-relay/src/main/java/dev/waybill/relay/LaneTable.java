package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.Publisher.Entity;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;

/**
 * The lanes of one destination in the database: which relay owns which, and under which epoch. A lease is valid
 * while its owner is alive and serves the destination, by the database's clock.
 */
final class LaneTable {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DSLContext dsl;
    private final UUID relay;
    private final String destination;
    private final SchemaName schema;

    LaneTable(DSLContext dsl, SchemaName schema, UUID relay, String destination) {
        this.dsl = dsl;
        this.schema = schema;
        this.relay = relay;
        this.destination = destination;
    }

    /**
     * Makes the lanes of a destination that has none, or those that are missing. A batch of a lane that was deleted may still
     * be under way for so long.
     */
    void register(Duration longestSend) {
        dsl.execute(REGISTER.formatted(schema), val(destination), val(longestSend.toMillis()));
    }

    /**
     * How often relays or lanes have changed; asked before a look, so that no change is missed between the two. The sequence
     * tells also of changes that the statement that reads it does not see.
     */
    long changes() {
        return dsl.fetchSingle(CHANGES.formatted(schema)).get(0, Long.class);
    }

    /**
     * How the lanes stand.
     *
     * @throws HistoryChangedException if a relay has recorded that the outbox's history has changed
     */
    List<Standing> look() {
        var rows = dsl.fetch(LOOK.formatted(schema), val(destination), val(relay));
        if (rows.isEmpty()) {
            OutboxHistory.requireNoHalt(dsl, schema);
        } else if (rows.get(0).get("halted") != null) {
            throw new HistoryChangedException(rows.get(0).get("halted", String.class));
        }
        return rows.map(LaneTable::standing);
    }

    /**
     * Takes up to so many lanes that nobody has, if this relay is alive itself. First the owners that seem to be
     * gone are locked, which waits for a sign of life that is being written; then, in a second statement that sees
     * it, is judged whether they are. An owner whose time runs out between the two was not locked, and keeps its
     * lanes for now. The caller {@linkplain #announce announces} it.
     *
     * @return what was taken; nothing while somebody keeps the lock of an owner
     */
    List<Claim> claim(int most) {
        try {
            return lockAndClaim(most);
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                return List.of();
            }
            throw e;
        }
    }

    private List<Claim> lockAndClaim(int most) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set local lock_timeout = '1s'");
            UUID[] locked = tx.dsl()
                    .fetch(LOCK_OWNERS.formatted(schema), val(destination), val(relay))
                    .intoArray(0, UUID.class);
            Map<Short, Owner> owners = owners(tx.dsl());
            return tx.dsl()
                    .fetch(CLAIM.formatted(schema), val(destination), val(relay), val(most), val(locked))
                    .map(row -> new Claim(
                            row.get("bucket", Short.class),
                            row.get("epoch", Long.class),
                            row.get("orphaned", Boolean.class),
                            owners.getOrDefault(row.get("bucket", Short.class), Owner.NOBODY)));
        });
    }

    // For the log alone; what is taken is decided by the claim itself.
    private Map<Short, Owner> owners(DSLContext tx) {
        return tx.fetch(OWNERS.formatted(schema), val(destination), val(relay))
                .intoMap(
                        row -> row.get("bucket", Short.class),
                        row -> new Owner(row.get("name", String.class), row.get("past", Long.class)));
    }

    /** How many of these lanes each other relay has, by its name; for the log. */
    Map<String, Integer> owners(Collection<Short> buckets) {
        var counts = new TreeMap<String, Integer>();
        owners(dsl).forEach((bucket, owner) -> {
            if (buckets.contains(bucket)) {
                counts.merge(owner.name(), 1, Integer::sum);
            }
        });
        return counts;
    }

    /**
     * Gives lanes back; the caller {@linkplain #announce announces} it.
     *
     * @param wait for how long nobody may claim them, because something may still be under way
     */
    void release(Collection<LaneState> lanes, Duration wait) {
        if (lanes.isEmpty()) {
            return;
        }
        dsl.execute(
                RELEASE.formatted(schema),
                val(destination),
                val(relay),
                val(lanes.stream().map(lane -> lane.lane().bucket()).toArray(Short[]::new)),
                val(lanes.stream().map(LaneState::epoch).toArray(Long[]::new)),
                val(wait.toMillis()));
    }

    /** Where the destination has moved to; empty if it has not. */
    Optional<Entity> entity() {
        return dsl.fetchOptional(ENTITY.formatted(schema), val(destination))
                .map(row -> new Entity(row.get("entity", String.class), row.get("partitioned", Boolean.class)));
    }

    /**
     * Lets other relays see that they should look. Only once what there is to see is committed.
     *
     * @return what {@link #changes} says from now on, if nobody else has changed anything
     */
    long announce() {
        return announce(dsl, schema);
    }

    /** The same for a caller of no destination. */
    static long announce(DSLContext dsl, SchemaName schema) {
        return dsl.fetchSingle("select nextval('%s.outbox_lane_seq')".formatted(schema))
                .get(0, Long.class);
    }

    private static Standing standing(Record row) {
        return new Standing(
                row.get("bucket", Short.class),
                row.get("epoch", Long.class),
                row.get("mine", Boolean.class),
                row.get("free", Boolean.class),
                Duration.ofMillis(row.get("wait", Long.class)),
                new Others(
                        row.get("others", Integer.class),
                        Duration.ofMillis(row.get("others_end", Long.class)),
                        Duration.ofMillis(row.get("withheld", Long.class))));
    }

    /**
     * One lane, and beside it what is the same for all.
     *
     * @param free whether nobody has a valid lease of it
     * @param delay until a free one may be claimed
     */
    record Standing(short bucket, long epoch, boolean mine, boolean free, Duration delay, Others others) {}

    /**
     * The other relays that serve the destination.
     *
     * @param count how many there are
     * @param end after which one of them may be gone, unless it gives a sign of life
     * @param withheld for how long no relay is to have lanes, because the destination moves; zero if it does not
     */
    record Others(int count, Duration end, Duration withheld) {
        static final Others NONE = new Others(0, Duration.ZERO, Duration.ZERO);
    }

    /** A lane that was taken; orphaned if its owner is not alive any more. */
    record Claim(short bucket, long epoch, boolean orphaned, Owner from) {}

    /**
     * The relay that has a lane, or had it.
     *
     * @param name empty if it has signed off
     * @param millisPast how long ago its lease has run out; 0 if it has not
     */
    record Owner(String name, long millisPast) {
        static final Owner NOBODY = new Owner("", -1);

        boolean isNobody() {
            return millisPast < 0;
        }
    }

    private static final String CHANGES = "select coalesce(pg_sequence_last_value('%s.outbox_lane_seq'), 0)";

    private static final String OWNERS = """
            select l.bucket, coalesce(v.name, '') as name, greatest(0, least(3600000, coalesce(extract(epoch from
              clock_timestamp() - v.alive_until) * 1000, 0)))::bigint as past
            from %1$s.outbox_lane l left join %1$s.relay_liveness v on v.id = l.owner
            where l.destination = {0} and l.owner <> {1}
            """;

    // Of a lane's cursors the one with the highest epoch counts, so a lane that is made anew goes on above it.
    private static final String REGISTER = """
            with missing as materialized (
              select b.bucket::smallint as bucket from generate_series(0, 31) as b(bucket)
              where not exists (select from %1$s.outbox_lane l where l.destination = {0} and l.bucket = b.bucket)
            ), former as materialized (
              select max(p.epoch) as epoch from %1$s.outbox_progress p
              where p.destination = {0} and exists (select from missing)
            )
            insert into %1$s.outbox_lane (destination, bucket, epoch, available_at)
            select {0}, m.bucket, coalesce(f.epoch, 0) + 1,
              case when f.epoch is null then '-infinity' else clock_timestamp() + {1} * interval '1 millisecond' end
            from missing m cross join former f
            on conflict do nothing
            """;

    // Of a destination that has moved, relays that know of no moves can have no lanes, so they have no share.
    private static final String LOOK = """
            with moved as materialized (
              select entity is not null as moved, held_for from %1$s.outbox_entity_of({0})
            ), live as materialized (
              select v.id, v.alive_until from %1$s.relay_liveness v
              where v.alive and {0} = any(v.serving)
                and (not coalesce((select m.moved from moved m), false) or exists (
                  select from %1$s.relay_instance i where i.id = v.id and i.follows_entities))
            ), others as materialized (
              select count(*)::int as others, coalesce(ceil(extract(epoch from
                min(alive_until) - clock_timestamp()) * 1000), 3600000)::bigint as others_end
              from live where id <> {1}
            )
            select l.bucket, l.epoch, coalesce(l.owner = {1}, false) as mine,
              coalesce(l.owner <> {1}, true) and not exists (select from live v where v.id = l.owner) as free,
              greatest(0, least(3600000, extract(epoch from
                greatest(l.available_at, 'epoch') - clock_timestamp()) * 1000))::bigint as wait,
              o.others, o.others_end,
              coalesce((select m.held_for from moved m), 0) as withheld,
              (select h.evidence from %1$s.outbox_halt h) as halted
            from %1$s.outbox_lane l cross join others o
            where l.destination = {0}
            order by l.bucket
            """;

    private static final String ENTITY =
            "select entity, partitioned from %1$s.outbox_entity_of({0}) where entity is not null";

    private static final String LOCK_OWNERS = """
            select i.id from %1$s.relay_instance i
            where i.id in (select l.owner from %1$s.outbox_lane l where l.destination = {0} and l.owner <> {1})
              and not exists (
                select from %1$s.relay_liveness v where v.id = i.id and v.alive and {0} = any(v.serving))
            order by i.id
            for update
            """;

    private static final String CLAIM = """
            with live as materialized (
              select id, alive, {0} = any(serving) as serves from %1$s.relay_liveness
            ), free as materialized (
              select l.bucket,
                l.owner is not null and not exists (select from live v where v.id = l.owner and v.alive) as orphaned
              from %1$s.outbox_lane l
              where l.destination = {0} and l.available_at <= clock_timestamp()
                and exists (select from live v where v.id = {1} and v.alive and v.serves)
                and (l.owner is null or l.owner <> {1} and not exists (
                  select from live v where v.id = l.owner and v.alive and v.serves)
                  and (l.owner = any({3}) or not exists (
                    select from %1$s.relay_instance i where i.id = l.owner)))
              order by l.bucket
              limit {2}
              for update of l skip locked
            )
            update %1$s.outbox_lane l set owner = {1}, epoch = l.epoch + 1, available_at = '-infinity'
            from free f where l.destination = {0} and l.bucket = f.bucket
            returning l.bucket, l.epoch, f.orphaned
            """;

    private static final String RELEASE = """
            update %1$s.outbox_lane l
            set owner = null, available_at = case when {4} > 0
              then clock_timestamp() + {4} * interval '1 millisecond' else '-infinity' end
            from unnest({2}, {3}) as r(bucket, epoch)
            where l.destination = {0} and l.bucket = r.bucket and l.epoch = r.epoch and l.owner = {1}
            """;
}
