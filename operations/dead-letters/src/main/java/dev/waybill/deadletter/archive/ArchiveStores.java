package dev.waybill.deadletter.archive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_ARCHIVE;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_MESSAGE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.ArchiveStore;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.store.DeadLetterJson;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.message.MessageContent;
import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The archives in reach of a call: the table, and a store outside the database if it was given one. */
public record ArchiveStores(ArchiveTable table, Optional<ArchiveStore> external) {
    /** For the documents of one transaction, at most 100. */
    private static final Duration SLOWEST_DOCUMENTS = Duration.ofMinutes(10);

    public static ArchiveStores of(SchemaName schema, @Nullable ArchiveStore external) {
        return new ArchiveStores(new ArchiveTable(schema), Optional.ofNullable(external));
    }

    /** For previews: rolling back would not restore what a store has removed. */
    public ArchiveStores unchanged() {
        return new ArchiveStores(table, external.map(Unchanged::new));
    }

    /** A context whose transactions may wait for the store between statements. */
    public DSLContext patient(DSLContext dsl) {
        return tableOnly() ? dsl : IdleLimit.of(SLOWEST_DOCUMENTS, dsl);
    }

    public void store(Connection tx, long id, String document) throws SQLException {
        if (external.isEmpty()) {
            table.store(tx, id, document);
        } else {
            table.remove(tx, List.of(id));
            external.get().store(tx, id, document);
        }
    }

    /** Loads a document. Older documents may be in the table although newer ones go to the store. */
    public Optional<String> load(Connection tx, long id) throws SQLException {
        Optional<String> document =
                external.isEmpty() ? Optional.empty() : external.get().load(tx, id);
        return document.isPresent() ? document : table.load(tx, id);
    }

    public Optional<MessageContent> content(DSLContext tx, long id) {
        return tx.connectionResult(connection -> load(connection, id))
                .map(document -> DeadLetterJson.read(document).content());
    }

    void removeFromTable(Connection tx, Collection<Long> ids) throws SQLException {
        table.remove(tx, ids);
    }

    public void removeFromStore(Connection tx, Collection<Long> ids) throws SQLException {
        if (external.isPresent() && !ids.isEmpty()) {
            external.get().remove(tx, ids);
        }
    }

    /** Removes letters with their documents; the store first, so that a crash leaves rows that can be removed again. */
    public void removeWithLetters(DSLContext tx, Collection<Long> ids) {
        tx.connection(connection -> {
            removeFromStore(connection, ids);
            removeFromTable(connection, ids);
        });
        StateTable.remove(tx, ids);
        tx.deleteFrom(DEAD_LETTER_MESSAGE)
                .where(condition("{0} = any({1})", DEAD_LETTER_MESSAGE.ID, val(ids.toArray(Long[]::new))))
                .execute();
    }

    private boolean tableOnly() {
        return external.isEmpty();
    }

    /** The condition that the document of a letter is in a store out of reach. */
    public Condition elsewhere() {
        return tableOnly()
                ? DEAD_LETTER
                        .STATE
                        .eq(DSL.inline(DeadLetterRows.column(DeadLetter.State.ARCHIVED)))
                        .and(notExists(
                                selectOne().from(DEAD_LETTER_ARCHIVE).where(DEAD_LETTER_ARCHIVE.ID.eq(DEAD_LETTER.ID))))
                : falseCondition();
    }

    /** The letters that have their documents in a store out of reach. */
    public Set<Long> elsewhere(DSLContext tx, List<? extends Record> rows) {
        var archived = new HashSet<Long>();
        for (Record row : rows) {
            if (tableOnly() && DeadLetterRows.column(DeadLetter.State.ARCHIVED).equals(row.get(DEAD_LETTER.STATE))) {
                archived.add(row.get(DEAD_LETTER.ID));
            }
        }
        if (!archived.isEmpty()) {
            Condition some = condition("{0} = any({1})", DEAD_LETTER_ARCHIVE.ID, val(archived.toArray(Long[]::new)));
            tx.select(DEAD_LETTER_ARCHIVE.ID)
                    .from(DEAD_LETTER_ARCHIVE)
                    .where(some)
                    .fetch(DEAD_LETTER_ARCHIVE.ID)
                    .forEach(archived::remove);
        }
        return archived;
    }

    private record Unchanged(ArchiveStore store) implements ArchiveStore {
        @Override
        public void store(Connection tx, long id, String document) {}

        @Override
        public Optional<String> load(Connection tx, long id) throws SQLException {
            return store.load(tx, id);
        }

        @Override
        public void remove(Connection tx, Collection<Long> ids) {}
    }
}
