package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.ImportPreview;
import dev.waybill.deadletter.store.LetterStore;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Imports lines in the caller's transaction, 100 at a time. Immutable and thread-safe. */
public final class LetterImport {
    private static final int CHUNK = 100;
    private static final long CHUNK_CHARACTERS = 8L << 20;

    private final LetterStore insert;

    public LetterImport(SchemaName schema) {
        insert = new LetterStore(schema, CollectorSettings.DEFAULT.mostRedrives());
    }

    /** Imports what it can; the caller rolls back. */
    public ImportPreview preview(DSLContext tx, BoundedLines lines) {
        return new ImportDryRun(insert, lines).run(tx);
    }

    /** Imports all lines, or throws naming the first that is refused. Returns how many letters were new or got bodies. */
    public int run(DSLContext tx, BoundedLines lines) {
        int imported = 0;
        long characters = 0;
        var chunk = new ArrayList<ImportLine>();
        for (@Nullable ImportLine line = next(lines); line != null; line = next(lines)) {
            chunk.add(line);
            characters += line.characters();
            if (chunk.size() == CHUNK || characters >= CHUNK_CHARACTERS) {
                imported += store(tx, chunk);
                chunk.clear();
                characters = 0;
            }
        }
        return imported + store(tx, chunk);
    }

    private static @Nullable ImportLine next(BoundedLines lines) {
        try {
            @Nullable String text = lines.nextFilled();
            return text == null ? null : ImportLine.read(lines.number(), text);
        } catch (IllegalArgumentException e) {
            throw refused(lines.number(), e);
        }
    }

    private int store(DSLContext tx, List<ImportLine> lines) {
        if (lines.isEmpty()) {
            return 0;
        }
        try {
            return insert.store(tx, lines.stream().map(ImportLine::letter).toList(), (in, stored) -> {});
        } catch (DataAccessException e) {
            if (!LetterStore.isRefusal(e)) {
                throw e;
            }
            lines.forEach(line -> storeAlone(tx, line));
            throw e;
        }
    }

    // Finds the line that no row can take.
    private void storeAlone(DSLContext tx, ImportLine line) {
        try {
            insert.store(tx, List.of(line.letter()), (in, stored) -> {});
        } catch (DataAccessException e) {
            throw refused(line.number(), e);
        }
    }

    private static IllegalArgumentException refused(int line, RuntimeException why) {
        return new IllegalArgumentException(
                "Nothing was imported, because line " + line + " is refused: " + ImportLine.why(why), why);
    }
}
