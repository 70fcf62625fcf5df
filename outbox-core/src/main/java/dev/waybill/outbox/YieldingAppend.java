package dev.waybill.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a transaction in which Waybill itself appends many rows. It never waits for a lock of an application while it
 * has one that an application may wait for, so it makes no application part of a deadlock
 * (docs/contributing/design/application-locks.md). If it would have to wait, it is rolled back, and the next attempt waits
 * first, or takes fewer rows. For the modules of Waybill. Not thread-safe.
 */
public final class YieldingAppend {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** For rows that only Waybill locks, and well below PostgreSQL's {@code deadlock_timeout} of a second. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final DSLContext tx;
    private final String table;
    private final Attempt attempt;

    private YieldingAppend(DSLContext tx, SchemaName schema, Attempt attempt) {
        this.tx = tx;
        table = SessionLocks.lockTable(schema);
        this.attempt = attempt;
    }

    /**
     * Takes a transaction, which is READ COMMITTED, until it need not wait.
     *
     * @param transaction locks nothing that applications lock before it calls {@link #lockTable}
     */
    public static <T> T take(DSLContext dsl, SchemaName schema, Function<YieldingAppend, T> transaction) {
        Attempt attempt = Attempt.FIRST;
        while (true) {
            Attempt now = attempt;
            try {
                return dsl.transactionResult(tx -> {
                    tx.dsl().execute("set transaction isolation level read committed");
                    return transaction.apply(new YieldingAppend(tx.dsl(), schema, now));
                });
            } catch (Again e) {
                attempt = e.next;
            } catch (DataAccessException e) {
                if (!LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                    throw e;
                }
                attempt = Attempt.FIRST;
            }
        }
    }

    /** The transaction. */
    public DSLContext tx() {
        return tx;
    }

    /** How many of the next rows to take at most. */
    public int most() {
        return attempt.most;
    }

    /**
     * Takes the lock that an insert takes on the table, and waits for it; first for the session that was in use. To be called
     * before the run's row is locked: whoever wants to end the run would wait for the application too.
     */
    public void lockTable() {
        @Nullable Session awaited = attempt.awaited;
        if (awaited == null) {
            tx.execute(table);
        } else {
            SessionLocks.take(tx, awaited.destination, List.of(String.valueOf(awaited.name)));
            tx.execute(table + " nowait");
        }
        tx.execute("set local lock_timeout = " + PATIENCE.toMillis());
    }

    /**
     * Takes the locks of the sessions of rows, as far as nobody has them, before the rows draw their sequence values.
     *
     * @param rows in their order
     * @return how many of the first rows can be appended, at least one; there is another attempt if it would be none
     */
    public int lock(List<Session> rows) {
        Map<String, Set<String>> free = new HashMap<>();
        rows.stream()
                .filter(row -> row.name != null)
                .collect(groupingBy(Session::destination, mapping(row -> String.valueOf(row.name), toSet())))
                .forEach((destination, names) -> free.put(destination, SessionLocks.takeFree(tx, destination, names)));
        int first = 0;
        while (first < rows.size() && rows.get(first).isAmong(free)) {
            first++;
        }
        if (first == 0 && !rows.isEmpty()) {
            throw waitFor(rows.get(0));
        }
        return first;
    }

    /** To be thrown: there is another attempt, which waits for this session first. */
    public RuntimeException waitFor(Session session) {
        return new Again(new Attempt(session, attempt.most));
    }

    /**
     * Locks the sessions of all rows; there is another attempt with fewer rows if some of the sessions are in use. That one
     * waits for the same session as this one: otherwise applications that never leave it free would have it again.
     */
    public void lockAll(List<Session> rows) {
        int free = lock(rows);
        if (free < rows.size()) {
            throw new Again(new Attempt(attempt.awaited, free));
        }
    }

    /**
     * The session of a row.
     *
     * @param name null if it has none
     */
    public record Session(String destination, @Nullable String name) {
        private boolean isAmong(Map<String, Set<String>> free) {
            return name == null || free.getOrDefault(destination, Set.of()).contains(name);
        }
    }

    /**
     * How to begin.
     *
     * @param awaited the session to wait for while nothing is locked that an application may need
     */
    private record Attempt(@Nullable Session awaited, int most) {
        static final Attempt FIRST = new Attempt(null, Integer.MAX_VALUE);
    }

    private static final class Again extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Attempt next;

        Again(Attempt next) {
            super("Rolled back, to wait without locks", null, false, false);
            this.next = next;
        }
    }
}
