package dev.waybill.deadletter;

import static dev.waybill.migrations.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.DeadLetterAudits.Entry;
import dev.waybill.hold.Instruction;
import dev.waybill.migrations.SchemaName;
import dev.waybill.relay.AutoCommitConnections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters as lines of JSON (NDJSON), for files, tools and other databases. What was exported and is imported says the
 * same, byte for byte. Needs the grants of {@code Role.OPERATOR}. Immutable and thread-safe.
 */
public final class DeadLetterExchange {
    private static final int CHUNK = 100;

    private final DSLContext dsl;
    private final ArrivalInsert insert;

    private DeadLetterExchange(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        insert = new ArrivalInsert(schema, CollectorSettings.DEFAULT.mostRedrives());
    }

    /** Of the dead letters in a schema of Waybill's tables. */
    public static DeadLetterExchange in(DataSource dataSource, SchemaName schema) {
        return new DeadLetterExchange(PlannedEachTime.in(schema.in(AutoCommitConnections.using(dataSource))), schema);
    }

    /**
     * Writes a line for each, in the order of their arrival, a few in memory at a time. Those that are archived have no body
     * here.
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
                out.append(DeadLetterLine.write(row)).append('\n');
                after = row.get(DEAD_LETTER.ID);
                exported++;
            }
        } while (page.size() == CHUNK);
        return exported;
    }

    /**
     * Stores what the lines say as open dead letters, or as quarantined ones. What is there already is left as it is, so that
     * an import that was cut short can be run again.
     *
     * @return how many were new
     * @throws IllegalArgumentException naming the line that cannot be read; those before it may be stored
     */
    public int importFrom(BufferedReader lines, Instruction instruction) {
        int imported = 0;
        var chunk = new ArrayList<Arrival>();
        int number = 0;
        for (@Nullable String line = next(lines); line != null; line = next(lines)) {
            number++;
            if (!line.isBlank()) {
                chunk.add(read(line, number));
            }
            if (chunk.size() == CHUNK) {
                imported += store(chunk, instruction);
                chunk.clear();
            }
        }
        return imported + store(chunk, instruction);
    }

    private static Arrival read(String line, int number) {
        try {
            return DeadLetterLine.read(line);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("Line " + number + " is no dead letter: " + e.getMessage(), e);
        }
    }

    private static @Nullable String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int store(List<Arrival> arrivals, Instruction instruction) {
        if (arrivals.isEmpty()) {
            return 0;
        }
        return insert.store(dsl, arrivals, (tx, stored) -> {
            if (stored > 0) {
                DeadLetterAudits.write(
                        tx, List.of(), Entry.of("import", instruction), Map.of(), Map.of("imported", (long) stored));
            }
        });
    }
}
