package dev.waybill.standalone.replay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.QueryPart;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Publishes retained messages again, after the loss of a namespace. Relays {@linkplain dev.waybill.relay.Relay.Builder#retain
 * retain} messages only if configured. Copies keep the logical ids and the order of their rows. They get new broker ids, so
 * that the broker accepts them and every inbox recognises what it has handled. Thread-safe.
 *
 * <p>A run proceeds in steps, each in its own transaction. An interrupted run continues where it stopped and replays no row
 * twice. Pending, held and scheduled messages are not replayed, because they are still to be published.
 *
 * <p>Copies follow everything in the outbox. So an unhandled message keeps its order among the copies, but arrives after newer
 * messages of its session.
 */
public final class OutboxReplay {

    private final DSLContext dsl;
    private final SchemaName schema;
    private final ReplayBatch batch;

    private OutboxReplay(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        this.batch = new ReplayBatch(schema);
    }

    public static OutboxReplay of(DataSource dataSource, SchemaName schema) {
        return in(AutoCommitConnections.using(dataSource), schema);
    }

    static OutboxReplay in(DSLContext dsl, SchemaName schema) {
        return new OutboxReplay(dsl, schema);
    }

    /**
     * Counts the messages of a replay without starting it.
     *
     * @throws FeatureMissing if the tables of published messages are not installed
     */
    public ReplayCount count(ReplaySelection selection) {
        FeatureMissing.require(dsl, schema, "outbox_published");
        boolean claims = FeatureMissing.isInstalled(dsl, schema, "outbox_claim");
        String missing = claims ? MISSING.formatted(schema, ReplayBatch.CLAIM) : "0::bigint";
        var row = dsl.fetchSingle(COUNT.formatted(schema, missing), chosen(selection));
        return new ReplayCount(
                row.get("published", Long.class),
                row.get("pending", Long.class),
                row.get("sessions", Long.class),
                row.get("missing_bodies", Long.class),
                row.get("first_seq", Long.class),
                row.get("last_seq", Long.class));
    }

    private static QueryPart[] chosen(ReplaySelection selection) {
        return new QueryPart[] {
            val(selection.destination()),
            session(selection),
            time(selection.from(), "-infinity"),
            time(selection.until(), "infinity"),
            val(selection.firstSeq()),
            val(selection.lastSeq().orElse(Long.MAX_VALUE))
        };
    }

    /**
     * Starts a run over the messages published so far; the first step sends.
     *
     * @param reason for the audit; commands add the operator in parentheses
     * @return the run, for {@link #step} or {@link #finish}
     * @throws FeatureMissing if the tables of published messages are not installed
     */
    public UUID begin(ReplaySelection selection, String reason) {
        FeatureMissing.require(dsl, schema, "outbox_published");
        var run = UUID.randomUUID();
        var parts = new ArrayList<QueryPart>(List.of(chosen(selection)));
        parts.add(val(run));
        parts.add(val(reason));
        dsl.transaction(tx -> {
            tx.dsl().execute(BEGIN.formatted(schema), parts.toArray(QueryPart[]::new));
            tx.dsl().execute(AUDIT.formatted(schema), val(run), val(selection.destination()), val(reason));
        });
        return run;
    }

    /**
     * Appends the next copies in one transaction, up to the first session that an application is using. If that is the first
     * session, the step waits without a lock that an application needs.
     *
     * @return the number of copies; 0 once the run is done
     * @throws IllegalArgumentException if the run does not exist
     * @throws DataAccessException if the database fails; the step appended nothing and can be repeated
     */
    public int step(UUID run) {
        return YieldingAppend.take(dsl, schema, append -> batch.append(append, run));
    }

    /** Runs all steps; returns the number of copies. */
    public long finish(UUID run) {
        long appended = 0;
        while (true) {
            int copies = DeadlockRetry.of(() -> step(run));
            if (copies == 0) {
                return appended;
            }
            appended += copies;
        }
    }

    /**
     * Abandons a run.
     *
     * @param instruction stored with the run for the audit
     * @return false if the run was already closed
     */
    public boolean abandon(UUID run, AuditContext instruction) {
        return dsl.execute(ABANDON.formatted(schema), val(run), val(instruction.operator()), val(instruction.reason()))
                == 1;
    }

    /** The open runs, the oldest first. */
    public List<UUID> open() {
        return dsl.fetch(
                        "select id from %s.outbox_replay where state = 'running' order by started_at".formatted(schema))
                .getValues(0, UUID.class);
    }

    private static Field<String> session(ReplaySelection selection) {
        return val(selection.session().orElse(null), SQLDataType.VARCHAR);
    }

    private static Field<OffsetDateTime> time(Optional<Instant> time, String otherwise) {
        return time.map(instant -> val(instant.atOffset(ZoneOffset.UTC)).coerce(SQLDataType.OFFSETDATETIME))
                .orElseGet(() -> DSL.field("{0}::timestamptz", SQLDataType.OFFSETDATETIME, DSL.inline(otherwise)));
    }

    // Commands write "reason (operator)".
    private static final String AUDIT = """
            insert into %s.operator_action (action, subject_kind, subject, scope, operator, reason)
            values ('replay', 'replay', {0}::text, {1}, coalesce(substring({2} from '\\(([^()]*)\\)$'), session_user), {2})
            """;

    private static final String ABANDON = """
            with ended as (
              update %1$s.outbox_replay set state = 'abandoned', changed_at = clock_timestamp()
              where id = {0} and state = 'running' returning id, destination, replayed)
            insert into %1$s.operator_action (action, subject_kind, subject, scope, operator, reason, after)
            select 'abandon', 'replay', id::text, destination, {1}, {2}, jsonb_build_object('replayed', replayed) from ended
            """;

    private static final String CHOSEN = """
            m.destination = {0} and ({1} is null or lower(m.session_id collate "C") = lower({1} collate "C"))
              and m.created_at >= {2} and m.created_at < {3} and m.seq between {4} and {5}
            """;

    /** Whether the time to live of a published row is over, which the broker counts from the arrival. Null without one. */
    static final String EXPIRED = "extract(epoch from clock_timestamp()"
            + " - greatest(%1$s.published_at, %1$s.scheduled_enqueue_time)) * 1000 > %1$s.time_to_live";

    private static final String MISSING = """
            count(*) filter (where %2$s is not null and not exists (
              select from %1$s.outbox_claim k where k.claim = %2$s and k.state <> 'removing'))
            """;

    private static final String COUNT =
            """
            select count(*) as published, count(distinct lower(m.session_id collate "C")) as sessions,
              (select count(*) from %1$s.outbox_message m where
            """ + CHOSEN + """
              ) as pending,
              %2$s as missing_bodies, coalesce(min(m.seq), 0) as first_seq, coalesce(max(m.seq), 0) as last_seq
            from %1$s.outbox_published m
            where
            """ + CHOSEN + " and (" + EXPIRED.formatted("m") + ") is not true";

    // After a reset of the sequence, rows above it are older than those below it: the run goes by time then, unless
    // values were chosen.
    private static final String BEGIN = """
            insert into %1$s.outbox_replay
              (id, destination, session_id, created_from, created_until, position, last_seq, reason)
            select {6}, {0}, {1}, {2}, {3},
              case when highest > last_value and {4} <= 1 then (-9223372036854775808)::bigint else greatest({4} - 1, 0) end,
              least({5}, greatest(highest, last_value)), {7}
            from %1$s.outbox_seq, (
              select coalesce((
                select seq from %1$s.outbox_published where destination = {0} order by seq desc limit 1), 0) as highest) p
            """;
}
