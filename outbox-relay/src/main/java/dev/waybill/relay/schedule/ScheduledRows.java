package dev.waybill.relay.schedule;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.BrokerNames;
import dev.waybill.outbox.SessionLocks;
import dev.waybill.relay.schedule.Page.Due;
import dev.waybill.relay.schedule.Page.Excluded;
import dev.waybill.relay.schedule.Page.Found;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.schema.SqlError.Kind;
import dev.waybill.schema.SqlFiles;
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

/** The rows of {@code outbox_scheduled}. Immutable and thread-safe. */
public final class ScheduledRows {
    /** Most rows of a transaction. */
    static final int PAGE = 500;

    // Well below PostgreSQL's deadlock_timeout of a second, so that the mover loses a deadlock.
    static final String BEGIN = Locking.beginning(Duration.ofMillis(250));

    private final DSLContext dsl;
    private final SqlFiles sql;
    private final String lockTable;

    public ScheduledRows(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        sql = new SqlFiles(ScheduledRows.class, schema);
        lockTable = SessionLocks.lockTable(schema);
    }

    /** The time until the first message of each destination is due, zero for now; no entry for none. */
    Map<String, Duration> waits(Collection<String> destinations) {
        var waits = new LinkedHashMap<String, Duration>();
        dsl.transaction(tx -> {
            tx.dsl().execute(BEGIN);
            tx.dsl()
                    .fetch(sql.get("scheduled-waits"), texts(destinations))
                    .forEach(row -> waits.put(
                            row.get("destination", String.class), Duration.ofMillis(row.get("millis", Long.class))));
        });
        return waits;
    }

    /**
     * Moves a page of due rows whose sessions are free, or throws an {@link UnmovableException} if the database rejects one.
     */
    Page move(String destination, Excluded excluded, int limit) {
        return move(tx -> {
            // First the table lock of an insert: a transaction that locks out all writers may wait for a row that the
            // mover has locked.
            tx.execute(BEGIN + lockTable);
            List<Found> found = choose(tx, destination, excluded, null, limit);
            return Page.of(found, SessionLocks.takeFree(tx, destination, sessions(found)), limit);
        });
    }

    /** Waits for the appends to a session, then moves a page of its due rows. Throws as {@link #move(String, Excluded, int)}. */
    Page moveOnceFree(Due row, int limit) {
        String session = Objects.requireNonNull(row.session());
        return move(tx -> {
            tx.execute(BEGIN);
            SessionLocks.take(tx, row.destination(), List.of(session));
            tx.execute(lockTable + " nowait");
            List<Found> found = choose(tx, row.destination(), Excluded.NONE, session, limit);
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
            if (Locking.isTimeout(e.sqlState()) || SqlError.ROLLBACK.is(e.sqlState())) {
                return Page.EXCLUDED;
            }
            throw chosen.isEmpty() || isOfAll(e) ? e : new UnmovableException(chosen, e);
        }
    }

    // Disk full, out of memory, I/O error: other rows would fail too.
    private static boolean isOfAll(DataAccessException failure) {
        @Nullable SqlError error = SqlError.of(failure.sqlState());
        boolean ofAll = error != null && (error.kind() == Kind.RESOURCES || error.kind() == Kind.CONFIGURATION);
        return ofAll || RootCause.isOutage(failure);
    }

    private static Set<String> sessions(List<Found> found) {
        return found.stream()
                .filter(Found::locked)
                .map(row -> row.due().session())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private List<Found> choose(
            DSLContext tx, String destination, Excluded excluded, @Nullable String session, int limit) {
        return tx.fetch(
                        sql.get("scheduled-choose"),
                        val(destination),
                        texts(excluded.sessions()),
                        texts(excluded.messages()),
                        val(session, SQLDataType.CLOB),
                        val(limit))
                .map(row -> found(destination, row));
    }

    private void move(DSLContext tx, List<Due> rows) {
        if (!rows.isEmpty()) {
            tx.execute(
                    sql.get("scheduled-move"),
                    texts(rows.stream().map(Due::place).toList()));
        }
    }

    private static Found found(String destination, Record row) {
        var due = new Due(
                destination,
                row.get("message_id", String.class),
                BrokerNames.keyOrNull(row.get("session_id", String.class)),
                row.get("tid", String.class));
        return new Found(due, row.get("locked", Boolean.class), row.get("bytes", Integer.class));
    }

    private static Field<String[]> texts(Collection<String> texts) {
        return val(texts.toArray(String[]::new));
    }

    @FunctionalInterface
    private interface Choice {
        Page make(DSLContext tx);
    }
}
