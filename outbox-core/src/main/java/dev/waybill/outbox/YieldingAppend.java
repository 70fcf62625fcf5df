package dev.waybill.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
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
 * One attempt of a transaction in which Waybill appends many rows. It never waits for an application's lock while it holds a
 * lock that an application may wait for, so it cannot deadlock with applications
 * (docs/contributing/design/application-locks.md). Instead it rolls back, and the next attempt waits first or takes fewer rows.
 * For the modules of Waybill. Not thread-safe.
 */
public final class YieldingAppend {

    /** For rows that only Waybill locks; well below PostgreSQL's {@code deadlock_timeout} of a second. */
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
     * Repeats a READ COMMITTED transaction until it need not wait. It locks no rows of applications before {@link #lockTable}.
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
            } catch (RetryAfterWait e) {
                attempt = e.next;
            } catch (DataAccessException e) {
                if (!SqlError.LOCK.is(e.sqlState())) {
                    throw e;
                }
                attempt = Attempt.FIRST;
            }
        }
    }

    public DSLContext tx() {
        return tx;
    }

    /** The most rows to append in this attempt. */
    public int most() {
        return attempt.most;
    }

    /**
     * Takes the table lock of an insert, after waiting for a busy session. Call it before locking the run's row, on which
     * operators wait.
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
     * Locks sessions without waiting, before their rows allocate sequence values. Returns how many of the first rows can be
     * appended, at least one; otherwise this attempt ends.
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
            throw retryAfter(rows.get(0));
        }
        return first;
    }

    /** To be thrown: the next attempt first waits for this session. */
    public RuntimeException retryAfter(Session session) {
        return new RetryAfterWait(new Attempt(session, attempt.most));
    }

    /**
     * Locks the sessions of all rows. If some are in use, the next attempt takes fewer rows. It waits for the session of this
     * attempt again, or applications could keep taking that session.
     */
    public void lockAll(List<Session> rows) {
        int free = lock(rows);
        if (free < rows.size()) {
            throw new RetryAfterWait(new Attempt(attempt.awaited, free));
        }
    }

    /** A session, or null for a row without one. */
    public record Session(String destination, @Nullable String name) {
        private boolean isAmong(Map<String, Set<String>> free) {
            return name == null || free.getOrDefault(destination, Set.of()).contains(name);
        }
    }

    /** @param awaited the session to wait for before anything else is locked */
    private record Attempt(@Nullable Session awaited, int most) {
        static final Attempt FIRST = new Attempt(null, Integer.MAX_VALUE);
    }

    private static final class RetryAfterWait extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Attempt next;

        RetryAfterWait(Attempt next) {
            super("Rolled back, to wait without holding locks", null, false, false);
            this.next = next;
        }
    }
}
