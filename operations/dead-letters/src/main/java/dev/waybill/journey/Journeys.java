package dev.waybill.journey;

import dev.waybill.journey.Journey.Part;
import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.SearchTerm.Kind;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * Reads journeys of messages. The outbox has no index by id: where it has many rows, reading takes a while. Needs the grants of
 * {@code Role.READONLY}. Immutable and thread-safe.
 */
public final class Journeys {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final DSLContext dsl;
    private final SchemaName schema;
    private final Duration patience;

    private Journeys(DSLContext dsl, SchemaName schema, Duration patience) {
        this.dsl = dsl;
        this.schema = schema;
        this.patience = patience;
    }

    public static Journeys in(DataSource dataSource, SchemaName schema) {
        return new Journeys(OptionalTables.of(AutoCommitConnections.using(dataSource), schema), schema, PATIENCE);
    }

    /** Sets how long one statement may take. Default: 30 s. */
    public Journeys within(Duration limit) {
        if (limit.toMillis() < 1) {
            throw new IllegalArgumentException("A statement takes at least a millisecond, not " + limit);
        }
        return new Journeys(dsl, schema, limit);
    }

    /** The journey of messages. Of entries, and of the rows of each table, the latest are kept. */
    public Journey of(SearchTerm term, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("A journey has at least one entry, not " + most);
        }
        Recorded.State state = EventRetention.state(dsl, schema);
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read, read only");
            tx.dsl().execute("set local jit = off");
            tx.dsl().execute("set local statement_timeout = " + Math.min(patience.toMillis(), Integer.MAX_VALUE));
            return read(tx.dsl(), state, term, most);
        });
    }

    private Journey read(DSLContext tx, Recorded.State state, SearchTerm term, int most) {
        var sql = new SqlFiles(Journeys.class, schema);
        var retention = EventRetention.read(tx, schema, state);
        var search = new JourneySearch(tx, sql, retention);
        JourneySearch.Found found = search.of(term, most);
        var reader = new JourneyReader(tx, sql, retention, most);
        JourneyReader.Read read = reader.read(term, found.ids());
        List<JourneyEntry> entries = read.entries();
        var leftOut = EnumSet.noneOf(Part.class);
        leftOut.addAll(read.leftOut());
        if (found.cut()) {
            leftOut.add(Part.MESSAGES);
        }
        if (entries.size() > most) {
            leftOut.add(Part.ENTRIES);
        }
        List<JourneyEntry> last = entries.subList(Math.max(0, entries.size() - most), entries.size());
        Set<Kind> elsewhere = entries.isEmpty() ? elsewhere(search, reader, term) : Set.of();
        return new Journey(term, last, leftOut, elsewhere, retention.recorded());
    }

    private static Set<Kind> elsewhere(JourneySearch search, JourneyReader reader, SearchTerm term) {
        var elsewhere = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            var other = new SearchTerm(kind, term.text());
            if (kind != term.kind()
                    && !reader.read(other, search.of(other, 1).ids()).entries().isEmpty()) {
                elsewhere.add(kind);
            }
        }
        return elsewhere;
    }
}
