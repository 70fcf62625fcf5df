package dev.waybill.deadletter.erase;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.redact.LetterRedactor;
import dev.waybill.deadletter.redact.Redaction;
import dev.waybill.deadletter.redact.Redaction.UnreadableBodyException;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.Record;

/** Removes letters. One with its document out of reach loses its texts and keeps its row, which names the document. */
final class LetterEraser {
    private static final int CHUNK = 100;

    private final SchemaName schema;
    private final ErasureSql sql;
    private final ArchiveStores archive;
    private final ClaimTable claims;
    private final LetterRedactor redacting;

    LetterEraser(SchemaName schema, ErasureSql sql, ArchiveStores archive, ClaimTable claims) {
        this.schema = schema;
        this.sql = sql;
        this.archive = archive;
        this.claims = claims;
        redacting = new LetterRedactor(Redaction.EVERYTHING, archive, claims);
    }

    void remove(DSLContext dsl, Param<UUID[]> which, AuditContext instruction, Map<Place, Long> now) {
        long after = 0;
        List<Long> found;
        do {
            long from = after;
            var some = new EnumMap<Place, Long>(Place.class);
            // A step of a re-drive that removes erased letters locks the two rows of a letter in the other order.
            found = DeadlockRetry.of(() -> {
                some.clear();
                return dsl.transactionResult(tx -> removeChunk(tx.dsl(), which, from, instruction, some));
            });
            some.forEach((place, count) -> now.merge(place, count, Long::sum));
            after = found.isEmpty() ? after : found.get(found.size() - 1);
        } while (found.size() == CHUNK);
    }

    private List<Long> removeChunk(
            DSLContext tx, Param<UUID[]> which, long after, AuditContext instruction, Map<Place, Long> now) {
        List<Long> ids =
                tx.fetch(sql.deadLetters(), which, val(CHUNK), val(after)).getValues(0, Long.class);
        if (ids.isEmpty()) {
            return ids;
        }
        // A statement after the lock: the letter may have been archived meanwhile.
        var rows = new ArrayList<Record>(tx.select(DEAD_LETTER.ID, DEAD_LETTER.STATE, DEAD_LETTER.CLAIM)
                .from(DEAD_LETTER)
                .where(DeadLetterRows.any(ids))
                .fetch());
        Set<Long> elsewhere = archive.elsewhere(tx, rows);
        rows.removeIf(row -> elsewhere.contains(row.get(DEAD_LETTER.ID)));
        remove(tx, rows, instruction, now);
        redact(tx, elsewhere, instruction, now);
        return ids;
    }

    private void redact(DSLContext tx, Set<Long> ids, AuditContext instruction, Map<Place, Long> now) {
        if (ids.isEmpty()) {
            return;
        }
        var redacted = new ArrayList<Record>();
        for (Record row :
                tx.selectFrom(DEAD_LETTER).where(DeadLetterRows.any(ids)).fetch()) {
            if (redact(tx, row)) {
                redacted.add(row);
            }
        }
        DeadLetterAudit.redacted(tx, DeadLetterRows.transitions(redacted), Entry.of("redact", instruction), List.of());
        now.merge(Place.ARCHIVED_ELSEWHERE, (long) redacted.size(), Long::sum);
    }

    private void remove(DSLContext tx, List<Record> rows, AuditContext instruction, Map<Place, Long> now) {
        if (rows.isEmpty()) {
            return;
        }
        List<Long> ids = DeadLetterRows.ids(rows);
        long archived = rows.stream()
                .filter(row -> DeadLetterRows.column(DeadLetter.State.ARCHIVED).equals(row.get(DEAD_LETTER.STATE)))
                .count();
        now.merge(Place.DEAD_LETTERS, (long) rows.size(), Long::sum);
        now.merge(Place.ARCHIVE, archived, Long::sum);
        // Before the message, whose removal would cascade, so that versions are counted.
        long versions = tx.execute(VERSIONS.formatted(schema), val(ids.toArray(Long[]::new)));
        now.merge(Place.DEAD_LETTER_VERSIONS, versions, Long::sum);
        archive.removeWithLetters(tx, ids);
        List<UUID> named = rows.stream()
                .map(row -> row.get(DEAD_LETTER.CLAIM))
                .filter(Objects::nonNull)
                .toList();
        if (!named.isEmpty()) {
            now.merge(Place.CLAIMS, (long) claims.remove(tx, named), Long::sum);
        }
        DeadLetterAudit.write(tx, DeadLetterRows.transitions(rows), Entry.of("erase", instruction), "erased");
    }

    private boolean redact(DSLContext tx, Record row) {
        try {
            return redacting.apply(tx, row, false);
        } catch (UnreadableBodyException e) {
            throw new AssertionError("Everything was taken out, whatever the body was", e);
        }
    }

    private static final String VERSIONS = "delete from %1$s.dead_letter_version where dead_letter = any({0})";
}
