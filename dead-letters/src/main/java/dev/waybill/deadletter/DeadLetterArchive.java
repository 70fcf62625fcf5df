package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_VERSION;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterAudits.Entry;
import dev.waybill.deadletter.DeadLetterAudits.Transition;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Where dead letters rest for the auditors. An archived one can still be found by all that a filter knows but the text of its
 * body, which is in the {@link ArchiveStore} until the time to keep it is over. Needs the grants of {@code Role.OPERATOR}.
 * Immutable and thread-safe.
 */
public final class DeadLetterArchive {
    private static final int CHUNK = 100;

    private final DSLContext dsl;
    private final ArchiveStore store;
    private final ErasureOrders orders;
    private final Claims claims;

    private DeadLetterArchive(DSLContext dsl, SchemaName schema, ArchiveStore store) {
        this.dsl = dsl;
        this.store = store;
        orders = new ErasureOrders(schema);
        claims = new Claims(schema);
    }

    /** The archive in the database itself. */
    public static DeadLetterArchive in(DataSource dataSource, SchemaName schema) {
        return in(dataSource, schema, ArchiveStore.inPostgres(schema));
    }

    /** An archive of your own. */
    public static DeadLetterArchive in(DataSource dataSource, SchemaName schema, ArchiveStore store) {
        return in(AutoCommitConnections.using(dataSource), schema, store);
    }

    static DeadLetterArchive in(DSLContext dsl, SchemaName schema, ArchiveStore store) {
        return new DeadLetterArchive(CustomPlans.in(schema.in(dsl)), schema, store);
    }

    /**
     * Archives dead letters, whatever state they are in.
     *
     * @param keep how long, from now on
     * @return how many
     */
    public int archive(DeadLetterFilter filter, Duration keep, AuditContext instruction) {
        return inChunks(filter.condition().and(DEAD_LETTER.STATE.ne(DeadLetterState.ARCHIVED.column())), (tx, rows) -> {
            for (Record row : rows) {
                tx.connection(
                        connection -> store.store(connection, row.get(DEAD_LETTER.ID), DeadLetterLine.write(row)));
            }
            empty(tx, rows);
            StateTable.archive(tx, ids(rows), keep);
            DeadLetterAudits.write(
                    tx, transitions(rows), Entry.of("archive", instruction), DeadLetterState.ARCHIVED.column());
        });
    }

    /**
     * Archives those that were re-driven or discarded so long ago: the routine of a nightly job.
     *
     * @param keep how long, from now on
     */
    public int archiveClosed(Duration closedFor, Duration keep, AuditContext instruction) {
        Condition old = DEAD_LETTER.CHANGED_AT.lt(field(
                "clock_timestamp() - {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(closedFor.toMillis())));
        return archive(
                DeadLetterFilter.everything()
                        .in(DeadLetterState.REDRIVEN, DeadLetterState.DISCARDED)
                        .and(old),
                keep,
                instruction);
    }

    /** Forgets what has been kept for its time; returns how many. */
    public int expire() {
        Condition over = DEAD_LETTER
                .STATE
                .eq(DSL.inline(DeadLetterState.ARCHIVED.column()))
                .and(DEAD_LETTER.KEEP_UNTIL.lt(DeadLetters.now()));
        return inChunks(over, this::remove);
    }

    /** The whole content of an archived dead letter; empty if there is none. */
    public Optional<MessageContent> content(long id) {
        return content(dsl, id);
    }

    private Optional<MessageContent> content(DSLContext in, long id) {
        return in.connectionResult(connection -> store.load(connection, id))
                .map(document -> DeadLetterLine.read(document).content());
    }

    /**
     * Opens archived dead letters again, with their bodies. One that was ordered to be erased is removed instead.
     *
     * @return how many
     * @throws IllegalStateException naming a dead letter whose document is gone; some that come before it may be open
     */
    public int restore(DeadLetterFilter filter, AuditContext instruction) {
        return inChunks(filter.in(DeadLetterState.ARCHIVED).condition(), (tx, all) -> {
            List<? extends Record> rows = withoutErased(tx, all, instruction);
            for (Record row : rows) {
                long id = row.get(DEAD_LETTER.ID);
                MessageContent content = content(tx, id)
                        .orElseThrow(
                                () -> new IllegalStateException("The archive has no document of dead letter " + id));
                tx.update(DEAD_LETTER_MESSAGE)
                        .set(DEAD_LETTER_MESSAGE.PAYLOAD, content.body())
                        .where(DEAD_LETTER_MESSAGE.ID.eq(id))
                        .execute();
            }
            StateTable.set(tx, ids(rows), DeadLetterState.OPEN);
            tx.connection(connection -> store.remove(connection, ids(rows)));
            DeadLetterAudits.write(
                    tx, transitions(rows), Entry.of("restore", instruction), DeadLetterState.OPEN.column());
        });
    }

    // Ordered to be forgotten: what stood in the archive is removed in place of coming back.
    private List<? extends Record> withoutErased(DSLContext tx, List<? extends Record> rows, AuditContext instruction) {
        Set<Long> forbidden = orders.pass(tx) ? Set.copyOf(orders.forbidden(tx, ids(rows))) : Set.of();
        List<? extends Record> erased = rows.stream()
                .filter(row -> forbidden.contains(row.get(DEAD_LETTER.ID)))
                .toList();
        if (erased.isEmpty()) {
            return rows;
        }
        remove(tx, erased);
        claims.forget(tx, erased.stream().map(row -> row.get(DEAD_LETTER.CLAIM)).toList());
        DeadLetterAudits.write(tx, transitions(erased), Entry.of("erase", instruction), "erased");
        return rows.stream()
                .filter(row -> !forbidden.contains(row.get(DEAD_LETTER.ID)))
                .toList();
    }

    /**
     * Takes out what messages say, here and in the archive: body and claim, description, former versions, subject and all
     * other texts but ids, session and reason, and all properties but Waybill's own. That they were there, when and why, stays.
     * They can be neither edited nor re-driven any more. The body that a claim names is removed by the next relay, if nothing
     * else needs it.
     *
     * @return how many
     */
    public int redact(DeadLetterFilter filter, AuditContext instruction) {
        return inChunks(filter.condition(), (tx, rows) -> {
            for (Record row : rows) {
                redact(tx, row);
            }
            DeadLetterAudits.unchanged(tx, transitions(rows), Entry.of("redact", instruction));
        });
    }

    /**
     * Removes dead letters without a trace of what they said, here and in the archive, whatever state they are in: also
     * open ones, whose messages are lost thereby. The audit keeps that it was done.
     *
     * @param filter by id or session, as a rule
     * @return how many
     */
    public int erase(DeadLetterFilter filter, AuditContext instruction) {
        return inChunks(filter.condition(), (tx, rows) -> {
            remove(tx, rows);
            DeadLetterAudits.write(tx, transitions(rows), Entry.of("erase", instruction), "erased");
        });
    }

    private void redact(DSLContext tx, Record row) {
        long id = row.get(DEAD_LETTER.ID);
        @Nullable UUID claim = row.get(DEAD_LETTER.CLAIM);
        Redaction.apply(row);
        tx.update(DEAD_LETTER_MESSAGE)
                .set(Redaction.columns(row))
                .where(DEAD_LETTER_MESSAGE.ID.eq(id))
                .execute();
        tx.deleteFrom(DEAD_LETTER_VERSION)
                .where(DEAD_LETTER_VERSION.DEAD_LETTER.eq(id))
                .execute();
        if (claim != null) {
            claims.release(tx, List.of(claim));
        }
        if (DeadLetterState.ARCHIVED.column().equals(row.get(DEAD_LETTER.STATE))) {
            tx.connection(connection -> store.store(connection, id, DeadLetterLine.write(row)));
        }
    }

    // The document first: what is left after a crash is a row that is removed again.
    private void remove(DSLContext tx, List<? extends Record> rows) {
        tx.connection(connection -> store.remove(connection, ids(rows)));
        StateTable.remove(tx, ids(rows));
        tx.deleteFrom(DEAD_LETTER_MESSAGE).where(any(rows)).execute();
    }

    private static void empty(DSLContext tx, List<? extends Record> rows) {
        tx.update(DEAD_LETTER_MESSAGE)
                .set(DEAD_LETTER_MESSAGE.PAYLOAD, new byte[0])
                .where(any(rows))
                .execute();
    }

    private static Condition any(List<? extends Record> rows) {
        return condition("{0} = any({1})", DEAD_LETTER_MESSAGE.ID, val(ids(rows).toArray(Long[]::new)));
    }

    private int inChunks(Condition which, Work work) {
        int done = 0;
        long after = 0;
        List<? extends Record> rows;
        do {
            long from = after;
            rows = dsl.transactionResult(tx -> {
                ReadCommitted.begin(tx.dsl());
                List<? extends Record> chosen = tx.dsl()
                        .selectFrom(DEAD_LETTER)
                        .where(which, DeadLetterRows.after(from))
                        .orderBy(DEAD_LETTER.ID)
                        .limit(CHUNK)
                        .forUpdate()
                        .fetch();
                if (!chosen.isEmpty()) {
                    work.on(tx.dsl(), chosen);
                }
                return chosen;
            });
            done += rows.size();
            after = rows.isEmpty() ? after : rows.get(rows.size() - 1).get(DEAD_LETTER.ID);
        } while (rows.size() == CHUNK);
        return done;
    }

    private static List<Long> ids(List<? extends Record> rows) {
        return rows.stream().map(row -> row.get(DEAD_LETTER.ID)).toList();
    }

    private static List<Transition> transitions(List<? extends Record> rows) {
        return rows.stream()
                .map(row -> new Transition(row.get(DEAD_LETTER.ID), row.get(DEAD_LETTER.STATE)))
                .toList();
    }

    /** What is done to rows that are locked. */
    private interface Work {
        void on(DSLContext tx, List<? extends Record> rows);
    }
}
