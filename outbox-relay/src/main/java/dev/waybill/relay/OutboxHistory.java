package dev.waybill.relay;

import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.QueryPart;
import org.jooq.impl.DSL;

/**
 * Whether the recorded cursors still fit the database, and what to do if not. Cursors are made of sequence values and
 * transaction ids; both only grow, unless somebody restarts the sequence or restores rows into another cluster. Immutable
 * and thread-safe.
 */
public final class OutboxHistory {
    private static final QueryPart CURSORS_OF_ALL = DSL.sql("true");

    private final DSLContext dsl;
    private final SchemaName schema;

    OutboxHistory(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** The history of the outbox in a schema. */
    public static OutboxHistory of(DataSource dataSource, SchemaName schema) {
        return new OutboxHistory(AutoCommitConnections.using(dataSource), schema);
    }

    /**
     * Compares the database's counters with the recorded cursors.
     *
     * @throws HistoryChangedException if one of them has gone back, or had when a relay looked
     */
    public void check() {
        inspect(CURSORS_OF_ALL);
    }

    private Counters inspect(QueryPart cursors) {
        var counters = dsl.fetchSingle(CHECK.formatted(schema), cursors);
        String halted = counters.get("halted", String.class);
        if (halted != null) {
            throw new HistoryChangedException(halted);
        }
        if (counters.get("sequence_behind", Boolean.class)) {
            throw new HistoryChangedException("the sequence stands at " + counters.get("last_value")
                    + ", messages up to " + counters.get("position") + " are recorded as published");
        }
        if (counters.get("xid_behind", Boolean.class)) {
            throw new HistoryChangedException("the cluster's next transaction id is " + counters.get("xmax")
                    + ", ids up to " + counters.get("next_xid") + " are recorded");
        }
        String reused = counters.get("reused", String.class);
        if (reused != null) {
            throw new HistoryChangedException("message '" + reused
                    + "' has a sequence value that was recorded as published before its transaction began");
        }
        return new Counters(counters.get("last_value", Long.class), counters.get("server", String.class));
    }

    /**
     * As {@link #check}, and makes what it finds last: the counters grow on and would soon hide that they had gone back.
     *
     * @return how the counters stand
     */
    Counters require() {
        return require(CURSORS_OF_ALL);
    }

    /** @throws HistoryChangedException if a relay has recorded that the history has changed */
    static void requireNoHalt(DSLContext dsl, SchemaName schema) {
        dsl.fetchOptional("select evidence from %s.outbox_halt".formatted(schema))
                .ifPresent(halt -> {
                    throw new HistoryChangedException(halt.get(0, String.class));
                });
    }

    /** As {@link #require()}, but compares with the cursors of one destination alone. */
    Counters require(String destination) {
        return require(DSL.sql("destination = {0}", DSL.val(destination)));
    }

    /** As {@link #require()}, but compares in a transaction, so that its limits count. */
    Counters requireInTransaction() {
        return require(() -> dsl.transactionResult(tx -> new OutboxHistory(tx.dsl(), schema).inspect(CURSORS_OF_ALL)));
    }

    private Counters require(QueryPart cursors) {
        return require(() -> inspect(cursors));
    }

    private Counters require(Supplier<Counters> comparison) {
        try {
            return comparison.get();
        } catch (HistoryChangedException e) {
            dsl.fetch(HALT.formatted(schema), DSL.val(e.evidence()));
            // A loop that has looked before the commit found no halt. Told also of a halt that was found before: the
            // process that recorded it may have ended first.
            LaneTable.announce(dsl, schema);
            throw e;
        }
    }

    /**
     * The database's counters.
     *
     * @param drawn the last sequence value
     * @param server a text that no other server has
     */
    record Counters(long drawn, String server) {}

    /**
     * Rewrites the cursors for this database: every row that cannot be shown to be published will be sent (again), the
     * sequence goes on above all rows, and the rows belong to this cluster. Run it as the owner of the tables, with all
     * relays stopped and before writers go on.
     *
     * @return how many rows will be sent
     * @throws IllegalStateException if a relay still holds a lease
     */
    public long rebase() {
        return dsl.transactionResult(tx -> rebase(tx.dsl()));
    }

    private long rebase(DSLContext tx) {
        tx.execute("lock table %s.outbox_lane in exclusive mode".formatted(schema));
        List<String> live = tx.fetch(LIVE.formatted(schema)).getValues(0, String.class);
        if (!live.isEmpty()) {
            throw new IllegalStateException("Relays hold leases: " + live + "; stop all relays first");
        }
        tx.execute("lock table %s.outbox_message in share row exclusive mode".formatted(schema));
        tx.execute("update %s.outbox_lane set owner = null, epoch = epoch + 1".formatted(schema));
        tx.execute(MOVE_SEQUENCE.formatted(schema));
        tx.execute(REWRITE_CURSORS.formatted(schema));
        tx.execute(REWRITE_REPLAYS.formatted(schema));
        tx.execute("update %s.outbox_message set xid = pg_current_xact_id()".formatted(schema));
        tx.execute("update %s.outbox_straggler set xid = pg_current_xact_id()".formatted(schema));
        if (FeatureMissing.isInstalled(tx, schema, "outbox_claim")) {
            tx.execute(
                    "update %s.outbox_claim set xid = pg_current_xact_id() where state = 'needed'".formatted(schema));
        }
        tx.execute("delete from %s.outbox_halt".formatted(schema));
        return tx.fetchSingle(PENDING.formatted(schema)).get(0, Long.class);
    }

    // A value drawn after the position was recorded, and yet not above it: the sequence went back and has overtaken
    // itself since. Looked for among the newest
    // transactions only.
    private static final String CHECK = """
            with newest as materialized (
              select destination, bucket, position, next_xid, recorded_at from %1$s.outbox_cursor where {0}
            ), recent as materialized (
              select * from newest where recorded_at > clock_timestamp() - interval '1 minute'
            )
            select (select evidence from %1$s.outbox_halt) as halted,
              extract(epoch from pg_postmaster_start_time())::text as server, s.last_value, p.position, p.next_xid::text as next_xid, p.xmax::text as xmax,
              coalesce(s.last_value < p.position, false) as sequence_behind,
              coalesce(p.xmax < p.next_xid, false) as xid_behind,
              (select r.message_id
               from %1$s.outbox_message r join recent c on c.destination = r.destination
                 and c.bucket = %1$s.outbox_bucket(r.session_id, r.message_id)
               where r.xid >= (select next_xid from recent order by next_xid limit 1)
                 and r.xid >= c.next_xid and r.seq <= c.position
               limit 1) as reused
            from (select coalesce(pg_sequence_last_value('%1$s.outbox_message_seq'), 0) as last_value) s, (
              select max(position) as position, pg_snapshot_xmax(pg_current_snapshot()) as xmax,
                (select next_xid from newest order by next_xid desc limit 1) as next_xid
              from newest) p
            """;

    // Counted as a change of lanes: all loops look at the lanes again when they see it, and find the halt. Once with
    // the halt itself, because the process may end with the commit, and once more after it.
    private static final String HALT = """
            with halt as (
              insert into %1$s.outbox_halt (evidence) values ({0}) on conflict do nothing returning id
            )
            select nextval('%1$s.outbox_lane_seq') from halt
            """;

    private static final String LIVE = """
            select distinct v.name from %1$s.outbox_lane l join %1$s.relay_liveness v on v.id = l.owner where v.alive
            """;

    private static final String MOVE_SEQUENCE = """
            select setval('%1$s.outbox_message_seq', greatest(
              (select last_value from %1$s.outbox_message_seq),
              (select coalesce(max(position), 1) from %1$s.outbox_progress),
              (select coalesce(max(seq), 1) from %1$s.outbox_row)))
            """;

    // A lane goes back to before its first row that is not known to be published. All rows get this transaction's id
    // next, which the new snapshot must count as seen: it ends above it and lists nothing.
    private static final String REWRITE_CURSORS = """
            insert into %1$s.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)
            select c.destination, c.bucket, l.epoch,
              least(c.position, coalesce(u.seq - 1, c.position)),
              (x.next || ':' || x.next || ':')::pg_snapshot, x.next::text::xid8
            from %1$s.outbox_cursor c
            join %1$s.outbox_lane l using (destination, bucket)
            cross join (select (pg_current_xact_id()::text::numeric + 1) as next) x
            left join lateral (
              select min(m.seq) as seq from %1$s.outbox_row m
              where m.destination = c.destination and m.bucket = c.bucket and m.seq <= c.position
                and not %1$s.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid)) u on true
            """;

    // A replay takes what was published when it began. The rows' transactions do not tell that any more; all up to
    // where the lane goes back is published.
    private static final String REWRITE_REPLAYS = """
            update %1$s.outbox_replay_lane l set position = least(l.position, c.position), snapshot = c.snapshot
            from %1$s.outbox_replay r join %1$s.outbox_cursor c on c.destination = r.destination
            where r.id = l.replay and r.state = 'running' and c.bucket = l.bucket
            """;

    private static final String PENDING = """
            select count(*) from %1$s.outbox_row m left join %1$s.outbox_cursor c using (destination, bucket)
            where c.position is null or m.seq > c.position
            """;
}
