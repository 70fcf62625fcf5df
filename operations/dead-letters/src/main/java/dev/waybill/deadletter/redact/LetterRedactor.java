package dev.waybill.deadletter.redact;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_VERSION;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.archive.ArchiveStores;
import dev.waybill.deadletter.redact.Redaction.UnreadableBodyException;
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

/** Redacts locked letters, their former versions and their documents. */
public record LetterRedactor(Redaction redaction, ArchiveStores archive, ClaimTable claims) {

    /** Redacts a letter, and its document if that is in reach. False if there was nothing to redact. */
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
            // A restore, or an archiving, may have crashed and left a document.
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

    // Even if an earlier call has redacted the row, and could not reach the document.
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
            // The former version is not JSON, and may have what is to be redacted: it is removed.
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
