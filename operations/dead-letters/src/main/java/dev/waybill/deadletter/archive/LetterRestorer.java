package dev.waybill.deadletter.archive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.archive.LetterChunks.Result;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.store.ClaimTable;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.BinaryParameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Opens archived letters, and removes those that an order of erasure names. */
public record LetterRestorer(DSLContext dsl, ArchiveStores archive, ErasureOrders orders, ClaimTable claims) {

    /** Restores locked rows. Letters without a document in this archive stay as they are. */
    public Result restore(DSLContext tx, List<? extends Record> rows, AuditContext instruction) {
        tx.connection(BinaryParameters::require);
        var lost = new ArrayList<Long>();
        var opened = new ArrayList<Record>();
        for (Record row : withoutErased(tx, rows, instruction)) {
            Optional<MessageContent> content = archive.content(tx, row.get(DEAD_LETTER.ID));
            if (content.isEmpty()) {
                lost.add(row.get(DEAD_LETTER.ID));
            } else {
                tx.update(DEAD_LETTER_MESSAGE)
                        .set(DEAD_LETTER_MESSAGE.PAYLOAD, content.get().body())
                        .where(DEAD_LETTER_MESSAGE.ID.eq(row.get(DEAD_LETTER.ID)))
                        .execute();
                opened.add(row);
            }
        }
        List<Long> ids = DeadLetterRows.ids(opened);
        if (!ids.isEmpty()) {
            StateTable.set(tx, ids, DeadLetter.State.OPEN);
            tx.connection(connection -> archive.removeFromTable(connection, ids));
            DeadLetterAudit.write(
                    tx,
                    DeadLetterRows.transitions(opened),
                    Entry.of("restore", instruction),
                    DeadLetterRows.column(DeadLetter.State.OPEN));
        }
        // After the commit: a crash before it would leave neither the body nor the document.
        return new Result(
                ids.size(), lost, () -> dsl.connection(connection -> archive.removeFromStore(connection, ids)));
    }

    private List<? extends Record> withoutErased(DSLContext tx, List<? extends Record> rows, AuditContext instruction) {
        var forbidden = new HashSet<Long>(orders.pass(tx) ? orders.forbidden(tx, DeadLetterRows.ids(rows)) : List.of());
        // Without its row the document would never be found.
        forbidden.removeAll(archive.elsewhere(tx, rows));
        List<? extends Record> erased = rows.stream()
                .filter(row -> forbidden.contains(row.get(DEAD_LETTER.ID)))
                .toList();
        if (erased.isEmpty()) {
            return rows;
        }
        archive.removeWithLetters(tx, DeadLetterRows.ids(erased));
        claims.forget(tx, erased.stream().map(row -> row.get(DEAD_LETTER.CLAIM)).toList());
        DeadLetterAudit.write(tx, DeadLetterRows.transitions(erased), Entry.of("erase", instruction), "erased");
        return rows.stream()
                .filter(row -> !forbidden.contains(row.get(DEAD_LETTER.ID)))
                .toList();
    }
}
