package dev.waybill.deadletter.redact;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_VERSION;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.redact.BodyPath.UnreadableBodyException;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.deadletter.store.DeadLetterJson;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.schema.BinaryParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * Takes content out of dead letters, their former versions and their documents, in a transaction that has locked
 * them.
 */
public record LetterRedactor(Redaction redaction, ArchiveStores archive, ClaimTable claims) {

    /**
     * Redacts a letter.
     *
     * @param reached whether its document, if it is archived, is in an archive that this call reaches
     * @return whether there was anything to take out
     * @throws UnreadableBodyException if it cannot be told what is to be taken out; nothing was changed
     */
    public boolean apply(DSLContext tx, Record row, boolean reached) throws UnreadableBodyException {
        long id = row.get(DEAD_LETTER.ID);
        @Nullable UUID claim = row.get(DEAD_LETTER.CLAIM);
        boolean archived = DeadLetterRows.column(DeadLetter.State.ARCHIVED).equals(row.get(DEAD_LETTER.STATE));
        Optional<String> document = archived && reached ? load(tx, id) : Optional.empty();
        document.ifPresent(text ->
                row.set(DEAD_LETTER.PAYLOAD, DeadLetterJson.read(text).content().body()));
        boolean changed = redaction.apply(row);
        boolean versions = row.get(DEAD_LETTER.VERSION) > 1 && versions(tx, id);
        boolean rewritten = archived && reached && rewrite(tx, row, document);
        if (!archived) {
            // Of a restore or an archiving that died on its way.
            tx.connection(connection -> archive.removeFromStore(connection, List.of(id)));
        }
        if (changed) {
            tx.connection(BinaryParameters::require);
            row.set(DEAD_LETTER.PAYLOAD, archived ? new byte[0] : row.get(DEAD_LETTER.PAYLOAD));
            tx.update(DEAD_LETTER_MESSAGE)
                    .set(values(row, DEAD_LETTER_MESSAGE))
                    .where(DEAD_LETTER_MESSAGE.ID.eq(id))
                    .execute();
        }
        if (claim != null && row.get(DEAD_LETTER.CLAIM) == null) {
            claims.release(tx, List.of(claim));
        }
        return changed || versions || rewritten;
    }

    private Optional<String> load(DSLContext tx, long id) {
        return tx.connectionResult(connection -> archive.load(connection, id));
    }

    // Also if the row was redacted by a call that did not reach the document.
    private boolean rewrite(DSLContext tx, Record row, Optional<String> before) {
        String now = DeadLetterJson.write(row);
        boolean redacted = DeadLetterRows.emptied(row) == EmptiedReason.REDACTED;
        if (!redacted || before.equals(Optional.of(now))) {
            return false;
        }
        tx.connection(connection -> archive.store(connection, row.get(DEAD_LETTER.ID), now));
        return true;
    }

    private boolean versions(DSLContext tx, long id) {
        boolean changed = false;
        for (Record version : tx.selectFrom(DEAD_LETTER_VERSION)
                .where(DEAD_LETTER_VERSION.DEAD_LETTER.eq(id))
                .fetch()) {
            changed |= version(tx, id, version);
        }
        return changed;
    }

    private boolean version(DSLContext tx, long id, Record version) {
        var which = DEAD_LETTER_VERSION
                .DEAD_LETTER
                .eq(id)
                .and(DEAD_LETTER_VERSION.VERSION.eq(version.get(DEAD_LETTER_VERSION.VERSION)));
        try {
            if (!redaction.isEverything()) {
                boolean changed = redaction.apply(version);
                if (changed) {
                    tx.update(DEAD_LETTER_VERSION)
                            .set(values(version, DEAD_LETTER_VERSION))
                            .where(which)
                            .execute();
                }
                return changed;
            }
        } catch (UnreadableBodyException e) {
            // An edit may have mended it. It is history, and may say what is to be taken out.
        }
        return tx.deleteFrom(DEAD_LETTER_VERSION).where(which).execute() > 0;
    }

    private static Map<Field<?>, @Nullable Object> values(Record row, Table<?> table) {
        var values = new LinkedHashMap<Field<?>, @Nullable Object>();
        for (String column : Redaction.changeable()) {
            put(values, row, table.field(column));
        }
        put(values, row, table.field(Redaction.EMPTIED));
        return values;
    }

    private static void put(Map<Field<?>, @Nullable Object> values, Record row, @Nullable Field<?> column) {
        if (column != null) {
            values.put(column, row.get(column.getName()));
        }
    }
}
