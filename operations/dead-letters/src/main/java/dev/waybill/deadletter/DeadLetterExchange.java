package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.exchange.BoundedLines;
import dev.waybill.deadletter.exchange.LetterImport;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.deadletter.store.DeadLetterJson;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.SchemaName;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * Exports and imports dead letters as lines of JSON (NDJSON). A letter that was exported and imported has the same content, byte
 * for byte. Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 */
public final class DeadLetterExchange {
    private static final int CHUNK = 100;

    /** Two imports of the same letters in different orders would deadlock. */
    private static final int IMPORTS = 1463900491;

    private final DSLContext dsl;
    private final SchemaName schema;
    private final LetterImport imports;

    private DeadLetterExchange(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        imports = new LetterImport(schema);
    }

    public static DeadLetterExchange in(DataSource dataSource, SchemaName schema) {
        var patient = IdleLimit.of(BoundedLines.SLOWEST, AutoCommitConnections.using(dataSource));
        return new DeadLetterExchange(CustomPlans.in(schema.in(patient)), schema);
    }

    /** Writes a line for each letter, in the order of collecting, and returns how many. Archived letters have no body there. */
    public long export(DeadLetterFilter filter, Appendable out) throws IOException {
        long exported = 0;
        long after = 0;
        List<? extends Record> page;
        do {
            page = dsl.selectFrom(DEAD_LETTER)
                    .where(filter.condition(), DeadLetterRows.after(after))
                    .orderBy(DEAD_LETTER.ID)
                    .limit(CHUNK)
                    .fetch();
            for (Record row : page) {
                out.append(DeadLetterJson.write(row)).append('\n');
                after = row.get(DEAD_LETTER.ID);
                exported++;
            }
        } while (page.size() == CHUNK);
        return exported;
    }

    /**
     * Stores letters from lines in one transaction, open or quarantined; letters without a body are discarded. A letter that is
     * stored already stays as it is, unless it lacks the body that the line has: then it gets the body, and is opened if it is
     * discarded. A redacted letter, or one that an order of erasure names, gets no body.
     *
     * @param lines of at most 150,000,000 characters
     * @return how many were new, or got their bodies
     * @throws IllegalArgumentException naming the line that is refused, or if there is none; nothing is imported
     */
    public int importFrom(BufferedReader lines, AuditContext instruction) {
        return importFrom(lines, instruction, DeadLetterJson.LONGEST);
    }

    public ImportPreview preview(BufferedReader lines) {
        return preview(lines, DeadLetterJson.LONGEST);
    }

    ImportPreview preview(BufferedReader lines, int longest) {
        try {
            dsl.transaction(tx -> {
                begin(tx.dsl());
                throw new RolledBack(imports.preview(tx.dsl(), new BoundedLines(lines, longest)));
            });
        } catch (RolledBack e) {
            return e.preview;
        }
        throw new IllegalStateException("The preview of an import was not taken back");
    }

    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient ImportPreview preview;

        RolledBack(ImportPreview preview) {
            super("Taken back", null, false, false);
            this.preview = preview;
        }
    }

    // Imports and previews of a schema run one after the other.
    private void begin(DSLContext tx) {
        ErasureOrders.readCommitted(tx);
        tx.execute("select pg_advisory_xact_lock({0}, hashtext({1}))", DSL.val(IMPORTS), DSL.val(schema.toString()));
    }

    int importFrom(BufferedReader lines, AuditContext instruction, int longest) {
        return dsl.transactionResult(tx -> {
            begin(tx.dsl());
            int imported = imports.run(tx.dsl(), new BoundedLines(lines, longest));
            if (imported > 0) {
                DeadLetterAudit.write(
                        tx.dsl(), List.of(), Entry.of("import", instruction), Map.of(), Map.of("imported", (long)
                                imported));
            }
            return imported;
        });
    }
}
