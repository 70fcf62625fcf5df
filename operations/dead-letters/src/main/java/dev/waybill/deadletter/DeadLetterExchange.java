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
 * Dead letters as lines of JSON (NDJSON), for files, tools and other databases. A letter that was exported and is
 * imported says the same, byte for byte. Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 */
public final class DeadLetterExchange {
    private static final int CHUNK = 100;

    /** Of two imports that have the same letters in another order, each would wait for the other. */
    private static final int IMPORTS = 1463900491;

    private final DSLContext dsl;
    private final SchemaName schema;
    private final LetterImport imports;

    private DeadLetterExchange(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        imports = new LetterImport(schema);
    }

    /** Of the dead letters in a schema of Waybill's tables. */
    public static DeadLetterExchange in(DataSource dataSource, SchemaName schema) {
        var patient = IdleLimit.of(BoundedLines.SLOWEST, AutoCommitConnections.using(dataSource));
        return new DeadLetterExchange(CustomPlans.in(schema.in(patient)), schema);
    }

    /**
     * Writes a line for each, in the order of their arrival, a few in memory at a time. Those that are archived have no body
     * here, and their lines say so.
     *
     * @return how many
     */
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
     * Stores what the lines say as open dead letters, or as quarantined ones; those that were exported without their bodies as
     * discarded ones, which cannot be sent. All in one transaction: if one line is refused, nothing was imported.
     * A letter that is there already is left as it is, unless it was imported without its body: then a line that
     * has the body fills it in, and opens the letter if it is discarded. A letter that was redacted here, or is
     * ordered to be erased, gets no body. One that lies in the archive gets it after it was restored.
     *
     * @param lines of at most 150,000,000 characters each
     * @return how many were new, or were here without their bodies
     * @throws IllegalArgumentException naming the line that is refused, and why
     */
    public int importFrom(BufferedReader lines, AuditContext instruction) {
        return importFrom(lines, instruction, DeadLetterJson.LONGEST);
    }

    /**
     * Says what an import would come to, and changes nothing: the lines are stored in a transaction that is taken back.
     *
     * @param lines as for the import
     */
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

    /** Ends a transaction without its changes. */
    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient ImportPreview preview;

        RolledBack(ImportPreview preview) {
            super("Taken back", null, false, false);
            this.preview = preview;
        }
    }

    // One import of a schema at a time, and no preview beside it.
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
