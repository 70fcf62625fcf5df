package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.jooq.impl.DSL.val;

import dev.waybill.message.WireContract;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.outbox.YieldingAppend.Session;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Appends copies of a run's next rows and moves the run on, all in the caller's transaction. Thread-safe. */
final class ReplayBatch {
    /** Bodies and headers of one step: applications that append to its sessions wait until it is written. */
    static final long MOST_BYTES = 8L << 20;

    private final SchemaName schema;
    private final int rows;

    ReplayBatch(SchemaName schema, int rows) {
        this.schema = schema;
        this.rows = rows;
    }

    int append(YieldingAppend append, UUID run) {
        DSLContext tx = append.tx();
        if (destinationOfRunning(tx, run, "").isEmpty()) {
            return 0;
        }
        append.lockTable();
        // It may have been moved on or ended while the step waited.
        return destinationOfRunning(tx, run, " for update")
                .map(destination -> append(append, run, destination))
                .orElse(0);
    }

    private Optional<String> destinationOfRunning(DSLContext tx, UUID run, String lock) {
        var row = tx.fetchOptional(RUN.formatted(schema) + lock, val(run))
                .orElseThrow(() -> new IllegalArgumentException("There is no replay " + run));
        return "running".equals(row.get("state", String.class))
                ? Optional.of(row.get("destination", String.class))
                : Optional.empty();
    }

    private int append(YieldingAppend append, UUID run, String destination) {
        DSLContext tx = append.tx();
        List<Original> next = next(tx, run);
        if (next.isEmpty()) {
            tx.execute(DONE.formatted(schema), val(run));
            return 0;
        }
        List<Original> originals = free(append, destination, within(MOST_BYTES, next));
        copy(tx, run, destination, originals);
        tx.execute(
                MOVE_ON.formatted(schema),
                val(run),
                val(originals.get(originals.size() - 1).seq()),
                val(originals.size()));
        return originals.size();
    }

    private List<Original> next(DSLContext tx, UUID run) {
        return tx.fetch(NEXT.formatted(schema, HELD.formatted(schema, "n")), val(run), val(rows))
                .map(row -> new Original(
                        row.get("seq", Long.class),
                        row.get("bucket", Short.class),
                        row.get("xid", String.class),
                        row.get("session_id", String.class),
                        row.get("message_id", String.class),
                        row.get("bytes", Long.class)));
    }

    /** The first of them that together have no more bytes, but all of the first value. */
    private static List<Original> within(long bytes, List<Original> next) {
        int count = 0;
        long sum = 0;
        while (count < next.size() && (sum += next.get(count).bytes()) <= bytes) {
            count++;
        }
        int whole = wholeValues(next, count);
        return whole > 0 ? next.subList(0, whole) : ofFirstValue(next);
    }

    private static List<Original> ofFirstValue(List<Original> next) {
        long first = next.get(0).seq();
        return next.stream().takeWhile(original -> original.seq() == first).toList();
    }

    // Up to the first one whose session is in use. The gate comes before the sessions, because it may have to be
    // waited for.
    private List<Original> free(YieldingAppend append, String destination, List<Original> next) {
        append.tx().fetch(GATE.formatted(schema));
        List<Session> sessions = next.stream()
                .map(original -> new Session(destination, original.sessionId()))
                .toList();
        int free = append.lock(sessions);
        int whole = wholeValues(next, free);
        if (whole == 0) {
            throw append.waitFor(sessions.get(free));
        }
        return next.subList(0, whole);
    }

    // The run moves on by values, and several rows may have one: a sequence that was set back gives it again.
    private static int wholeValues(List<Original> next, int free) {
        int whole = free;
        while (whole > 0
                && whole < next.size()
                && next.get(whole - 1).seq() == next.get(whole).seq()) {
            whole--;
        }
        return whole;
    }

    private void copy(DSLContext tx, UUID run, String destination, List<Original> originals) {
        tx.execute(
                COPY.formatted(schema, columns(""), columns("m.")),
                val(destination),
                val(originals.stream().map(Original::bucket).toArray(Short[]::new)),
                val(originals.stream().map(Original::seq).toArray(Long[]::new)),
                val(originals.stream().map(Original::xid).toArray(String[]::new)),
                val(originals.stream().map(original -> original.brokerId(run)).toArray(String[]::new)));
        if (FeatureMissing.isInstalled(tx, schema, "outbox_claim")) {
            tx.execute(NEED_BODIES.formatted(schema, ClaimTable.claimOf("m.headers")));
        }
    }

    // All that the relay reads of a row, but for what is drawn or made anew.
    private static String columns(String prefix) {
        return OutboxRow.COLUMNS.stream()
                .filter(column -> column != OUTBOX_MESSAGE.SEQ && column != OUTBOX_MESSAGE.BROKER_MESSAGE_ID)
                .map(Field::getName)
                .map(prefix::concat)
                .collect(Collectors.joining(", "));
    }

    private record Original(
            long seq, short bucket, String xid, @Nullable String sessionId, String messageId, long bytes) {
        String brokerId(UUID run) {
            return WireContract.redriveId(messageId, run.toString(), Long.toString(seq));
        }
    }

    private static final String RUN = "select destination, state from %s.outbox_replay where id = {0}";

    /** Whether a row's message is held: it is on its way too, if not to the broker yet. */
    static final String HELD = """
            exists (
              select from %1$s.outbox_held_message x join %1$s.outbox_hold h on h.id = x.hold_id
              where x.origin_position = %2$s.seq and x.origin_time = %2$s.created_at
                and h.destination = %2$s.destination)""";

    private static final String NEXT = """
            select m.seq, m.bucket, m.xid::text as xid, m.session_id, m.message_id, m.bytes
            from %1$s.outbox_replay r join %1$s.outbox_replay_lane l on l.replay = r.id
            cross join lateral (
              select n.*, octet_length(n.payload)::bigint + coalesce(pg_column_size(n.headers), 0) as bytes
              from %1$s.outbox_row n
              where n.destination = r.destination and n.bucket = l.bucket
                and n.seq > r.position and n.seq <= least(r.last_seq, l.position)
                and pg_visible_in_snapshot(n.xid, l.snapshot)
                and (r.session_id is null or n.session_id = r.session_id)
                and n.created_at >= r.created_from and n.created_at < r.created_until
                and not %2$s
              order by n.seq
              fetch first ({1}) rows with ties
            ) m
            where r.id = {0}
            order by m.seq
            fetch first ({1}) rows with ties
            """;

    private static final String COPY = """
            insert into %1$s.outbox_message (destination, broker_message_id, %2$s)
            select m.destination, o.broker_message_id, %3$s
            from unnest({1}, {2}, {3}, {4}) as o(bucket, seq, xid, broker_message_id)
            join %1$s.outbox_row m
              on m.destination = {0} and m.bucket = o.bucket and m.seq = o.seq and m.xid = o.xid::xid8
            where not exists (
              select from %1$s.erasure_order e
              where m.created_at <= e.applies_until and e.digest in (
                %1$s.erasure_digest('message', m.message_id), %1$s.erasure_digest('session', m.session_id)))
            order by m.seq
            """;

    // A message that is being erased is not copied: the eraser waits for those who could not see its order.
    private static final String GATE = "select %1$s.erasure_gate()";

    private static final String NEED_BODIES = """
            update %1$s.outbox_claim c
            set state = 'needed', state_since = clock_timestamp(), xid = pg_current_xact_id()
            where c.state <> 'removing'
              and c.claim in (select %2$s from %1$s.outbox_message m where m.xid = pg_current_xact_id())
            """;

    private static final String MOVE_ON = """
            update %s.outbox_replay
            set position = {1}, replayed = replayed + {2}, changed_at = clock_timestamp() where id = {0}
            """;

    private static final String DONE =
            "update %s.outbox_replay set state = 'done', changed_at = clock_timestamp() where id = {0}";
}
