package dev.waybill.relay.schedule;

import static org.jooq.impl.DSL.val;

import dev.waybill.outbox.SessionLocks;
import dev.waybill.relay.schedule.Page.Due;
import dev.waybill.relay.schedule.Page.Found;
import dev.waybill.relay.schedule.Page.Passed;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The rows of {@code outbox_scheduled} and their way into the outbox. Immutable and thread-safe. */
public final class ScheduledRows {
    /** Rows of one transaction at most. */
    static final int PAGE = 500;

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK = "40P01";

    private final DSLContext dsl;
    private final SchemaName schema;
    private final String begin;

    /** The scheduled messages of the outbox in a schema. */
    public ScheduledRows(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        begin = BEGIN + SessionLocks.lockTable(schema);
    }

    /** How long it is until the first message of each destination is due; zero: it is. Others have none. */
    Map<String, Duration> waits(Collection<String> destinations) {
        var waits = new LinkedHashMap<String, Duration>();
        dsl.transaction(tx -> {
            tx.dsl().execute(BEGIN);
            tx.dsl()
                    .fetch(WAITS.formatted(schema), texts(destinations))
                    .forEach(row -> waits.put(
                            row.get("destination", String.class), Duration.ofMillis(row.get("millis", Long.class))));
        });
        return waits;
    }

    /**
     * Moves a page of due rows of those sessions that are free now.
     *
     * @throws UnmovableException if the database refuses one of them
     */
    Page move(String destination, Passed passed, int limit) {
        return move(tx -> {
            tx.execute(begin);
            List<Found> found = choose(tx, destination, passed, null, limit);
            return Page.of(found, SessionLocks.takeFree(tx, destination, sessions(found)), limit);
        });
    }

    /**
     * Moves a page of a session's due rows once those who append to it have ended.
     *
     * @throws UnmovableException if the database refuses one of them
     */
    Page moveOnceFree(Due row, int limit) {
        String session = Objects.requireNonNull(row.session());
        return move(tx -> {
            tx.execute(BEGIN);
            SessionLocks.take(tx, row.destination(), List.of(session));
            tx.execute(SessionLocks.lockTable(schema) + " nowait");
            List<Found> found = choose(tx, row.destination(), Passed.NONE, session, limit);
            return Page.of(found, Set.of(session), limit);
        });
    }

    private Page move(Choice choice) {
        var chosen = new ArrayList<Due>();
        try {
            return dsl.transactionResult(tx -> {
                Page page = choice.make(tx.dsl());
                chosen.addAll(page.chosen());
                move(tx.dsl(), chosen);
                return page;
            });
        } catch (DataAccessException e) {
            if (e.sqlState().equals(LOCK_NOT_AVAILABLE) || e.sqlState().equals(DEADLOCK)) {
                return Page.EXCLUDED;
            }
            throw chosen.isEmpty() || isOfAll(e) ? e : new UnmovableException(chosen, e);
        }
    }

    // No disk, no memory, files that cannot be read: the next row would meet it too.
    private static boolean isOfAll(DataAccessException failure) {
        String state = failure.sqlState();
        return RootCause.isOutage(failure) || state.startsWith("53") || state.startsWith("58");
    }

    private static Set<String> sessions(List<Found> found) {
        return found.stream()
                .filter(Found::locked)
                .map(row -> row.due().session())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private List<Found> choose(DSLContext tx, String destination, Passed passed, @Nullable String session, int limit) {
        return tx.fetch(
                        CHOOSE.formatted(schema),
                        val(destination),
                        texts(passed.sessions()),
                        texts(passed.messages()),
                        val(session, SQLDataType.CLOB),
                        val(limit))
                .map(row -> found(destination, row));
    }

    private void move(DSLContext tx, List<Due> rows) {
        if (!rows.isEmpty()) {
            tx.execute(
                    MOVE.formatted(schema, COLUMNS),
                    texts(rows.stream().map(Due::place).toList()));
        }
    }

    private static Found found(String destination, Record row) {
        var due = new Due(
                destination,
                row.get("message_id", String.class),
                row.get("session_id", String.class),
                row.get("tid", String.class));
        return new Found(due, row.get("locked", Boolean.class), row.get("bytes", Integer.class));
    }

    private static Field<String[]> texts(Collection<String> texts) {
        return val(texts.toArray(String[]::new));
    }

    /** Finds and locks rows. */
    @FunctionalInterface
    private interface Choice {
        Page make(DSLContext tx);
    }

    // Well below PostgreSQL's deadlock_timeout of a second, so that it is the mover that gives way. The lock that an
    // insert takes
    // on the table comes first: whoever keeps all writers from it may wait for a row that the mover would have locked.
    static final String BEGIN = """
            set transaction isolation level read committed;
            set local lock_timeout = '250ms';
            set local idle_in_transaction_session_timeout = '10s';
            set local enable_seqscan = off;
            set local enable_bitmapscan = off;
            set local enable_sort = off;
            set local enable_hashjoin = off;
            set local enable_mergejoin = off;
            set local jit = off;
            """;

    // PostgreSQL before 17 cannot subtract infinity.
    private static final String WAITS = """
            select d.destination, greatest(0, ceil(1000 * extract(epoch from least(
                greatest(s.due_at, '2000-01-01 00:00:00+00'), statement_timestamp() + interval '1 hour')
              - statement_timestamp())))::bigint as millis
            from unnest({0}::text[]) as d(destination)
            cross join lateral (
              select s.due_at from %1$s.outbox_scheduled s
              where s.destination = d.destination order by s.due_at limit 1) s
            """;

    // {1} sessions and {2} messages without session that are left out, {3} the only session, or null. Finds due rows in
    // order,
    // then locks what nobody else has locked; a row that was changed meanwhile has another place, and counts as locked.
    // Not
    // clock_timestamp(), which is volatile: all that waits would be read. The planner cannot know how many rows wait,
    // so each part
    // leaves it one way in: the order is that of one index, and what was found is read by its place, with a condition
    // that fits
    // no index.
    static final String CHOOSE = """
            with found as materialized (
              select s.ctid as tid, s.message_id, s.session_id, s.due_at, s.created_at, octet_length(s.payload) as bytes
              from %1$s.outbox_scheduled s
              where s.destination = {0} and s.due_at <= statement_timestamp()
                and ({3}::text is null or s.session_id = {3})
                and case when s.session_id is null then s.message_id not in (select unnest({2}::text[]))
                  else s.session_id not in (select unnest({1}::text[])) end
              order by s.due_at, s.created_at, s.message_id limit {4}
            ), ours as materialized (
              select s.ctid as tid from %1$s.outbox_scheduled s
              where s.ctid = any (array(select f.tid from found f)) and s.due_at + interval '0' <= statement_timestamp()
              for update of s skip locked
            )
            select f.tid::text as tid, f.message_id, f.session_id, f.bytes, f.tid in (select o.tid from ours o) as locked
            from found f order by f.due_at, f.created_at, f.message_id
            """;

    private static final String COLUMNS =
            "destination, session_id, message_id, broker_message_id, partition_key, subject,"
                    + " content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,"
                    + " scheduled_enqueue_time, headers, payload";

    // The rows are locked, so they are still where they were found.
    private static final String MOVE = """
            with due as (
              delete from %1$s.outbox_scheduled s where s.ctid = any ({0}::tid[]) returning s.*)
            insert into %1$s.outbox_message (%2$s)
            select %2$s from due order by due_at, created_at, message_id
            """;
}
