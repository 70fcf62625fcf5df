package dev.waybill.relay;

import static dev.waybill.migrations.jooq.Tables.OUTBOX_MESSAGE;
import static org.jooq.impl.DSL.val;

import dev.waybill.migrations.SchemaName;
import dev.waybill.outbox.SessionLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * The rows that wait for their time, and their way into the outbox: deleted here and inserted there in one transaction, under
 * their sessions' locks, in the order of their due times.
 *
 * <p>Nothing here waits for a lock while it holds others, so it cannot be part of a deadlock. A row that somebody else has
 * locked, to cancel it or to move it, is passed over, and so are the later rows of its session.
 */
final class ScheduledTable {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DSLContext dsl;
    private final int batchRows;
    private final String waits;
    private final String chooseAny;
    private final String chooseOfSession;
    private final String move;

    ScheduledTable(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = dsl;
        this.batchRows = batchRows;
        String table = schema.table("outbox_scheduled");
        waits = WAITS.formatted(table);
        chooseAny = CHOOSE.formatted(table, "(session_id is null or session_id <> all({1}))");
        chooseOfSession = CHOOSE.formatted(table, "session_id = any({1})");
        move = MOVE.formatted(
                table,
                schema.table("outbox_message"),
                columns(),
                schema.table("outbox_claim"),
                ClaimTable.claimOf("d.headers"));
    }

    /** How long it is, by the database's clock, until each destination's next row is due; zero or less if one is. */
    Map<String, Duration> waits(Collection<String> destinations) {
        var waits = new HashMap<String, Duration>();
        dsl.fetch(this.waits, val(destinations.toArray(String[]::new)))
                .forEach(row -> waits.put(
                        row.get("destination", String.class), Duration.ofMillis(row.get("millis", Long.class))));
        return waits;
    }

    /**
     * Moves the first due rows of a destination whose sessions nobody is appending to.
     *
     * @param passedOver sessions to leave out
     */
    Batch move(String destination, Set<String> passedOver) {
        return dsl.transactionResult(tx -> {
            List<Due> chosen = choose(tx.dsl(), chooseAny, destination, passedOver);
            Set<String> sessions = chosen.stream()
                    .flatMap(due -> Stream.ofNullable(due.sessionId()))
                    .collect(Collectors.toSet());
            Set<String> locked = SessionLocks.takeFree(tx.dsl(), destination, sessions);
            return move(tx.dsl(), chosen, locked);
        });
    }

    /**
     * Moves the first due rows of one session once whoever appends to it has ended.
     *
     * @return how many were moved; 0 if the wait took too long
     */
    int moveOf(String destination, String session, Duration patience) {
        try {
            return dsl.transactionResult(tx -> {
                tx.dsl().execute("set local lock_timeout = " + patience.toMillis());
                SessionLocks.take(tx.dsl(), destination, List.of(session));
                List<Due> chosen = choose(tx.dsl(), chooseOfSession, destination, Set.of(session));
                return move(tx.dsl(), chosen, Set.of(session)).moved();
            });
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                return 0;
            }
            throw e;
        }
    }

    private List<Due> choose(DSLContext tx, String statement, String destination, Set<String> sessions) {
        return tx.fetch(statement, val(destination), val(sessions.toArray(String[]::new)), val(batchRows))
                .map(row -> new Due(
                        row.get("id", Long.class),
                        row.get("session_id", String.class),
                        row.get("first", Boolean.class)));
    }

    private Batch move(DSLContext tx, List<Due> chosen, Set<String> locked) {
        var ids = new ArrayList<Long>();
        var left = new HashSet<String>();
        for (Due due : chosen) {
            if (due.sessionId() == null || (due.first() && locked.contains(due.sessionId()))) {
                ids.add(due.id());
            } else {
                left.add(due.sessionId());
            }
        }
        if (!ids.isEmpty()) {
            tx.execute(move, val(ids.toArray(Long[]::new)));
        }
        return new Batch(ids.size(), left, chosen.size() == batchRows);
    }

    // Whatever the relay reads of a row comes along, but for the sequence value, which is drawn anew.
    private static String columns() {
        return OutboxRow.COLUMNS.stream()
                .filter(column -> column != OUTBOX_MESSAGE.SEQ)
                .map(Field::getName)
                .collect(Collectors.joining(", ", "destination, ", ""));
    }

    /**
     * What one transaction did.
     *
     * @param left sessions with due rows that were not moved, because somebody appends to the session or has locked a row
     * @param full whether more rows may be due
     */
    record Batch(int moved, Set<String> left, boolean full) {}

    /** @param first whether no earlier row of the session stays behind */
    private record Due(long id, @Nullable String sessionId, boolean first) {}

    private static final String WAITS = """
            select d.destination, ceil(extract(epoch from s.due_at - statement_timestamp()) * 1000)::bigint as millis
            from unnest({0}) as d(destination) cross join lateral (
              select due_at from %s w where w.destination = d.destination order by due_at limit 1) s
            """;

    // Not clock_timestamp(), which is volatile: the whole of what waits would be read to find what is due.
    private static final String CHOOSE = """
            with locked as materialized (
              select id, session_id, due_at from %1$s
              where destination = {0} and due_at <= statement_timestamp() and %2$s
              order by due_at, id
              limit {2}
              for update skip locked
            )
            select l.id, l.session_id, l.session_id is null or not exists (
                select from %1$s e
                where e.destination = {0} and e.session_id = l.session_id and (e.due_at, e.id) < (l.due_at, l.id)
                  and e.id not in (select id from locked)) as first
            from locked l
            order by l.due_at, l.id
            """;

    // A body that was kept elsewhere is needed until the row that is written here is published.
    private static final String MOVE = """
            with due as (delete from %1$s where id = any({0}) returning *),
            claims as (update %4$s c set xid = pg_current_xact_id() from due d where c.claim = %5$s)
            insert into %2$s (%3$s) select %3$s from due order by due_at, id
            """;
}
