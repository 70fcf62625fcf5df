package dev.waybill.standalone.replay;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.WireContract;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.outbox.YieldingAppend.Session;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Appends the next copies of a replay. Immutable. */
final class ReplayBatch {
    private static final int ROWS = 500;
    private static final long MOST_BYTES = 16L << 20;

    /**
     * The claim in the headers of a row m, or null. Writers may put any text there; a failed cast would fail the statement for
     * all rows.
     */
    static final String CLAIM = """
            case when m.headers->>'waybill-claim' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
              then (m.headers->>'waybill-claim')::uuid end""";

    private final SchemaName schema;

    ReplayBatch(SchemaName schema) {
        this.schema = schema;
    }

    int append(YieldingAppend append, UUID run) {
        DSLContext tx = append.tx();
        if (running(tx, run, "").isEmpty()) {
            return 0;
        }
        append.lockTable();
        // Another process may have advanced the run while the step waited.
        return running(tx, run, " for update")
                .map(running -> append(append, run, running))
                .orElse(0);
    }

    private Optional<Running> running(DSLContext tx, UUID run, String lock) {
        var row = tx.fetchOptional(RUN.formatted(schema) + lock, val(run))
                .orElseThrow(() -> new IllegalArgumentException("There is no replay " + run));
        return "running".equals(row.get("state", String.class))
                ? Optional.of(new Running(row.get("destination", String.class), row.get("by_time", Boolean.class)))
                : Optional.empty();
    }

    private int append(YieldingAppend append, UUID run, Running running) {
        DSLContext tx = append.tx();
        String destination = running.destination();
        List<Original> next = next(tx, run, running.byTime());
        if (next.isEmpty()) {
            tx.execute(DONE.formatted(schema), val(run));
            return 0;
        }
        List<Original> originals = free(append, destination, within(next));
        copy(tx, run, destination, originals);
        tx.execute(
                MOVE_ON.formatted(schema),
                val(run),
                val(originals.get(originals.size() - 1).place()),
                val(originals.size()));
        return originals.size();
    }

    private List<Original> next(DSLContext tx, UUID run, boolean byTime) {
        return tx.fetch(
                        NEXT.formatted(schema, byTime ? BY_TIME : "n.seq", OutboxReplay.EXPIRED.formatted("n")),
                        val(run),
                        val(ROWS))
                .map(row -> new Original(
                        row.get("place", Long.class),
                        row.get("seq", Long.class),
                        row.get("session_id", String.class),
                        row.get("message_id", String.class),
                        row.get("bytes", Long.class)));
    }

    // Limits the bytes of a batch, but never splits rows of the first place.
    private static List<Original> within(List<Original> next) {
        int count = 0;
        long sum = 0;
        while (count < next.size() && (sum += next.get(count).bytes()) <= MOST_BYTES) {
            count++;
        }
        int whole = wholePlaces(next, count);
        long first = next.get(0).place();
        return whole > 0
                ? next.subList(0, whole)
                : next.stream().takeWhile(original -> original.place() == first).toList();
    }

    // Stops before the first session in use. The gate precedes the sessions, because the statement may wait for it.
    private List<Original> free(YieldingAppend append, String destination, List<Original> next) {
        append.tx().fetch(GATE.formatted(schema));
        List<Session> sessions = next.stream()
                .map(original -> new Session(destination, original.sessionId()))
                .toList();
        int free = append.lock(sessions);
        int whole = wholePlaces(next, free);
        if (whole == 0) {
            throw append.retryAfter(sessions.get(free));
        }
        return next.subList(0, whole);
    }

    // The run advances by place. After a reset of the sequence, several rows may have the same value.
    private static int wholePlaces(List<Original> next, int free) {
        int whole = free;
        while (whole > 0
                && whole < next.size()
                && next.get(whole - 1).place() == next.get(whole).place()) {
            whole--;
        }
        return whole;
    }

    private void copy(DSLContext tx, UUID run, String destination, List<Original> originals) {
        tx.execute(
                COPY.formatted(schema),
                val(destination),
                val(originals.stream().map(Original::seq).toArray(Long[]::new)),
                val(originals.stream().map(Original::messageId).toArray(String[]::new)),
                val(originals.stream().map(original -> original.brokerId(run)).toArray(String[]::new)));
        if (FeatureMissing.isInstalled(tx, schema, "outbox_claim")) {
            tx.execute(
                    NEED_BODIES.formatted(schema, CLAIM),
                    val(destination),
                    val(originals.stream().map(Original::seq).toArray(Long[]::new)));
        }
    }

    /** {@code byTime}: places are not sequence values, but times of creation. */
    private record Running(String destination, boolean byTime) {}

    private record Original(long place, long seq, @Nullable String sessionId, String messageId, long bytes) {
        String brokerId(UUID run) {
            return WireContract.redriveId(messageId, run.toString(), Long.toString(seq));
        }
    }

    private static final String RUN =
            "select destination, state, position < 0 as by_time from %s.outbox_replay where id = {0}";

    // Microseconds, as negative numbers. Later rows may have any value, so the start's time ends the run. No index has
    // this order: each step reads all that the destination retains, and so only a run after a reset goes by it. A
    // negative position marks such a run, where a column of its own would be one more state.
    private static final String BY_TIME = "case when n.created_at < r.started_at"
            + " then (extract(epoch from n.created_at) * 1000000)::bigint - (1::bigint << 62) end";

    private static final String NEXT = """
            select * from (
              select %2$s as place, n.seq, n.created_at, n.session_id, n.message_id,
                octet_length(n.payload)::bigint + coalesce(pg_column_size(n.headers), 0) as bytes
              from %1$s.outbox_replay r
              join %1$s.outbox_published n on n.destination = r.destination
                and %2$s > r.position and n.seq <= r.last_seq
                and (r.session_id is null or lower(n.session_id collate "C") = lower(r.session_id collate "C"))
                and n.created_at >= r.created_from and n.created_at < r.created_until
                and (%3$s) is not true
              where r.id = {0}
              order by place
              fetch first ({1}) rows with ties) n
            order by n.place, n.created_at, n.seq
            """;

    private static final String COPY = """
            insert into %1$s.outbox_message (
              destination, broker_message_id, session_id, message_id, partition_key, subject, content_type, correlation_id,
              to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload)
            select m.destination, o.broker_message_id, m.session_id, m.message_id, m.partition_key, m.subject, m.content_type,
              m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live, m.scheduled_enqueue_time,
              m.headers, m.payload
            from unnest({1}, {2}, {3}) with ordinality as o(seq, message_id, broker_message_id, place)
            join %1$s.outbox_published m on m.destination = {0} and m.seq = o.seq and m.message_id = o.message_id
            where not exists (
              select from %1$s.erasure_order e
              where m.created_at <= e.applies_until and e.digest in (
                %1$s.erasure_digest('message', m.message_id), %1$s.erasure_digest('session', m.session_id)))
            order by o.place
            """;

    // The gate keeps a message that is being erased from being copied.
    private static final String GATE = "select %1$s.erasure_gate()";

    private static final String NEED_BODIES = """
            update %1$s.outbox_claim c
            set state = 'needed', state_since = clock_timestamp()
            where c.state <> 'removing'
              and c.claim in (
                select %2$s from %1$s.outbox_published m where m.destination = {0} and m.seq = any({1}))
            """;

    private static final String MOVE_ON = """
            update %s.outbox_replay
            set position = {1}, replayed = replayed + {2}, changed_at = clock_timestamp() where id = {0}
            """;

    private static final String DONE =
            "update %s.outbox_replay set state = 'done', changed_at = clock_timestamp() where id = {0}";
}
