package dev.waybill.deadletter;

import static dev.waybill.deadletter.store.DeadLetterRows.ids;
import static dev.waybill.deadletter.store.DeadLetterRows.transitions;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.archive.LetterChunks;
import dev.waybill.deadletter.archive.LetterChunks.Result;
import dev.waybill.deadletter.archive.LetterRestorer;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.redact.LetterRedactor;
import dev.waybill.deadletter.redact.Redaction;
import dev.waybill.deadletter.redact.Redaction.UnreadableBodyException;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.deadletter.store.DeadLetterJson;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps dead letters for an audit, and redacts or erases them. An archived letter can be found by everything but the text of its
 * body. Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 *
 * <p>With an {@link ArchiveStore}, documents that the table has are found as well. Without it, letters that have their documents
 * there are left alone; {@link #elsewhere} counts them.
 */
public final class DeadLetterArchive {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterArchive.class);

    private final DSLContext dsl;
    private final ArchiveStores archive;
    private final LetterChunks chunks;
    private final LetterRestorer restoring;
    private final ClaimTable claims;

    private DeadLetterArchive(DSLContext dsl, SchemaName schema, @Nullable ArchiveStore external) {
        archive = ArchiveStores.of(schema, external);
        this.dsl = archive.patient(dsl);
        chunks = new LetterChunks(this.dsl);
        claims = new ClaimTable(schema);
        restoring = new LetterRestorer(this.dsl, archive, new ErasureOrders(schema), claims);
    }

    public static DeadLetterArchive in(DataSource dataSource, SchemaName schema) {
        return in(AutoCommitConnections.using(dataSource), schema, null);
    }

    public static DeadLetterArchive in(DataSource dataSource, SchemaName schema, ArchiveStore store) {
        return in(AutoCommitConnections.using(dataSource), schema, store);
    }

    static DeadLetterArchive in(DSLContext dsl, SchemaName schema, @Nullable ArchiveStore external) {
        return new DeadLetterArchive(CustomPlans.in(schema.in(dsl)), schema, external);
    }

    /** Archives dead letters in any state, and keeps them for a time from now on. Returns how many. */
    public int archive(DeadLetterFilter filter, Duration keep, AuditContext instruction) {
        Condition which =
                filter.condition().and(DEAD_LETTER.STATE.ne(DeadLetterRows.column(DeadLetter.State.ARCHIVED)));
        return done(which, (tx, rows) -> {
            for (Record row : rows) {
                tx.connection(
                        connection -> archive.store(connection, row.get(DEAD_LETTER.ID), DeadLetterJson.write(row)));
            }
            empty(tx, rows);
            StateTable.archive(tx, ids(rows), keep);
            DeadLetterAudit.write(
                    tx,
                    transitions(rows),
                    Entry.of("archive", instruction),
                    DeadLetterRows.column(DeadLetter.State.ARCHIVED));
            return rows.size();
        });
    }

    /** Archives letters that were re-driven or discarded so long ago, as a nightly job does. Returns how many. */
    public int archiveClosed(Duration closedFor, Duration keep, AuditContext instruction) {
        return archive(
                DeadLetterFilter.everything()
                        .in(DeadLetter.State.REDRIVEN, DeadLetter.State.DISCARDED)
                        .unchangedFor(closedFor),
                keep,
                instruction);
    }

    /** Deletes archived letters whose time is over; returns how many. */
    public int expire(AuditContext instruction) {
        return expire(DeadLetterFilter.everything().keptForItsTime(), instruction);
    }

    /**
     * Deletes archived letters, even before their time is over. A letter whose document is in a store that this archive does not
     * know is left alone. Returns how many.
     */
    public int expire(DeadLetterFilter filter, AuditContext instruction) {
        return done(filter.in(DeadLetter.State.ARCHIVED).condition(), (tx, all) -> {
            Set<Long> elsewhere = archive.elsewhere(tx, all);
            List<? extends Record> rows = all.stream()
                    .filter(row -> !elsewhere.contains(row.get(DEAD_LETTER.ID)))
                    .toList();
            if (!rows.isEmpty()) {
                archive.removeWithLetters(tx, ids(rows));
                DeadLetterAudit.write(tx, transitions(rows), Entry.of("expire", instruction), "expired");
            }
            return rows.size();
        });
    }

    /** How many archived letters have their documents in a store that this archive does not know. */
    public long elsewhere(DeadLetterFilter filter) {
        return dsl.selectCount()
                .from(DEAD_LETTER)
                .where(filter.condition(), archive.elsewhere())
                .fetchSingle()
                .value1();
    }

    public Optional<MessageContent> content(long id) {
        return archive.content(dsl, id);
    }

    /**
     * Opens archived letters again, with their bodies, and returns how many. A letter that an order of erasure names is removed.
     *
     * @throws IllegalStateException naming a letter without a document in this archive; the other letters are open
     */
    public int restore(DeadLetterFilter filter, AuditContext instruction) {
        Result result = chunks.each(
                filter.in(DeadLetter.State.ARCHIVED).condition(),
                (tx, rows) -> restoring.restore(tx, rows, instruction));
        if (!result.unchanged().isEmpty()) {
            int more = result.unchanged().size() - 1;
            throw new IllegalStateException("The archive has no document of dead letter "
                    + result.unchanged().get(0)
                    + (more > 0 ? " and of " + more + " more" : "") + "; " + result.done()
                    + (result.done() == 1 ? " other was opened" : " others were opened"));
        }
        return result.done();
    }

    /**
     * Removes all content of letters, in the tables, in former versions and in the archive: body, description, properties, and
     * all texts but ids, session and reason. The letters stay, in their states. They can be neither edited nor re-driven. A body
     * outside the message is removed by the next relay, unless something else needs it. Returns how many.
     */
    public int redact(DeadLetterFilter filter, AuditContext instruction) {
        return redact(filter, Redaction.EVERYTHING, instruction).redacted();
    }

    /**
     * Removes some fields of letters, in the tables, in former versions and in the archive. A letter that has lost a field can
     * be neither edited nor re-driven. A former version with a body that is not JSON is removed.
     *
     * @param fields {@code body}, {@code description}, {@code subject}, {@code content-type}, {@code correlation-id}, {@code
     *     to}, {@code reply-to}, {@code reply-to-session}, {@code partition-key}, {@code property:NAME}, or a path in a JSON
     *     body: {@code body:/customer/email}, {@code body:/items/}&#42;{@code /name}
     * @throws IllegalArgumentException naming a field that cannot be redacted; nothing is changed
     */
    public RedactionReport redact(DeadLetterFilter filter, Collection<String> fields, AuditContext instruction) {
        return redact(filter, Redaction.of(fields), instruction);
    }

    /**
     * Whether one of these letters has lost one of these fields, or all content, by an earlier redaction of the audit. If not,
     * and {@link #redact(DeadLetterFilter, Collection, AuditContext)} finds nothing, the name of the field may be misspelt.
     */
    public boolean wasRedacted(DeadLetterFilter filter, Collection<String> fields) {
        return DeadLetterAudit.wasRedacted(dsl, filter.condition(), fields);
    }

    /** Throws what {@link #redact(DeadLetterFilter, Collection, AuditContext)} would throw for these fields. */
    public static void checkFields(Collection<String> fields) {
        Redaction.of(fields);
    }

    private RedactionReport redact(DeadLetterFilter filter, Redaction redaction, AuditContext instruction) {
        var redacting = new LetterRedactor(redaction, archive, claims);
        Result result = chunks.each(filter.condition(), (tx, rows) -> {
            Set<Long> elsewhere = archive.elsewhere(tx, rows);
            var touched = new ArrayList<Record>();
            var refused = new ArrayList<Long>();
            for (Record row : rows) {
                long id = row.get(DEAD_LETTER.ID);
                try {
                    if (redacting.apply(tx, row, !elsewhere.contains(id)) || redaction.isEverything()) {
                        touched.add(row);
                    }
                } catch (UnreadableBodyException e) {
                    LOG.debug("Dead letter {} is not redacted: {}", id, e.getMessage());
                    refused.add(id);
                }
            }
            DeadLetterAudit.redacted(
                    tx, transitions(touched), Entry.of(DeadLetterAudit.REDACT, instruction), redaction.fields());
            return new Result(touched.size(), refused, () -> {});
        });
        return new RedactionReport(result.done(), result.unchanged());
    }

    /**
     * Removes letters and their documents, in any state: the messages of open letters are lost. The audit keeps that it was
     * done. A document in a store that this archive does not know stays. Returns how many.
     */
    public int erase(DeadLetterFilter filter, AuditContext instruction) {
        return done(filter.condition(), (tx, rows) -> {
            archive.removeWithLetters(tx, ids(rows));
            DeadLetterAudit.write(tx, transitions(rows), Entry.of("erase", instruction), "erased");
            return rows.size();
        });
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

    private int done(Condition which, Change change) {
        return chunks.each(which, (tx, rows) -> Result.of(change.of(tx, rows))).done();
    }

    private interface Change {
        int of(DSLContext tx, List<? extends Record> rows);
    }

    /**
     * How many letters were redacted, and the ids of those that were left alone: the body is not JSON, or outside the message.
     */
    public record RedactionReport(int redacted, List<Long> refused) {
        public RedactionReport {
            refused = List.copyOf(refused);
        }
    }
}
