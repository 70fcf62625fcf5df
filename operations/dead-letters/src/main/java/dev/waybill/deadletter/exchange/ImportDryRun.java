package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.ImportPreview;
import dev.waybill.deadletter.ImportPreview.Refused;
import dev.waybill.deadletter.store.LetterStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Imports lines in a transaction that the caller rolls back, and continues after refused lines. Not thread-safe. */
final class ImportDryRun {
    private static final int MOST_TOLD = 50;
    private static final int CHUNK = 100;
    private static final long CHUNK_CHARACTERS = 8L << 20;

    private final LetterStore insert;
    private final BoundedLines from;
    private final List<ImportLine> chunk = new ArrayList<>();
    private final List<Refused> refused = new ArrayList<>();
    private int otherRefused;
    private int lines;
    private int imported;
    private long characters;

    ImportDryRun(LetterStore insert, BoundedLines from) {
        this.insert = insert;
        this.from = from;
    }

    ImportPreview run(DSLContext tx) {
        for (@Nullable String text = next(); text != null; text = next()) {
            add(tx, text);
        }
        store(tx);
        refused.sort(Comparator.comparingInt(Refused::line));
        return new ImportPreview(lines, imported, refused, otherRefused);
    }

    // A line that is too long ends the import: its end is unknown.
    private @Nullable String next() {
        try {
            return from.nextFilled();
        } catch (IllegalArgumentException e) {
            lines++;
            refuse(from.number(), e);
            return null;
        }
    }

    private void add(DSLContext tx, String text) {
        lines++;
        try {
            chunk.add(ImportLine.read(from.number(), text));
        } catch (IllegalArgumentException e) {
            refuse(from.number(), e);
            return;
        }
        characters += text.length();
        if (chunk.size() == CHUNK || characters >= CHUNK_CHARACTERS) {
            store(tx);
        }
    }

    private void store(DSLContext tx) {
        try {
            imported += store(tx, chunk);
        } catch (DataAccessException e) {
            if (!LetterStore.isRefusal(e)) {
                throw e;
            }
            chunk.forEach(line -> storeAlone(tx, line));
        }
        chunk.clear();
        characters = 0;
    }

    private void storeAlone(DSLContext tx, ImportLine line) {
        try {
            imported += store(tx, List.of(line));
        } catch (DataAccessException e) {
            if (!LetterStore.isRefusal(e)) {
                throw e;
            }
            refuse(line.number(), e);
        }
    }

    private int store(DSLContext tx, List<ImportLine> some) {
        return some.isEmpty()
                ? 0
                : insert.store(tx, some.stream().map(ImportLine::letter).toList(), (in, stored) -> {});
    }

    private void refuse(int line, RuntimeException why) {
        if (refused.size() == MOST_TOLD) {
            otherRefused++;
        } else {
            refused.add(new Refused(line, ImportLine.why(why)));
        }
    }
}
