package dev.waybill.standalone.database;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.Overview.DeadLetterCount;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads an overview from the database alone. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class OverviewReader {
    private final StatusReader status;
    private final FlowReader flows;
    private final DeadLetters deadLetters;
    private final DSLContext dsl;
    private final SchemaName schema;
    private final ConsumerReader consumers;

    public OverviewReader(String database, DataSource dataSource, SchemaName schema) {
        this.status = new StatusReader(database, dataSource, schema);
        this.flows = new FlowReader(dataSource, schema);
        this.deadLetters = DeadLetters.in(dataSource, schema);
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
        consumers = new ConsumerReader(dsl, schema);
    }

    public Overview read() {
        return read(Integer.MAX_VALUE);
    }

    /**
     * Reads the overview with a bounded count of dead letters, for repeated polls.
     *
     * @param letters the limit of the count
     * @throws IllegalStateException if tables are missing or outdated
     */
    public Overview read(int letters) {
        InstalledTables.require(dsl, schema);
        Status now = status.read();
        return new Overview(
                now,
                flows.read(
                        now.destinations().stream().map(DestinationView::name).toList()),
                waiting(letters),
                FeatureMissing.isInstalled(dsl, schema, "dead_letter_entity") ? deadLetters.collectors() : List.of(),
                consumers.all());
    }

    private List<DeadLetterCount> waiting(int letters) {
        return dsl.fetch(DEAD_LETTERS.formatted(schema), DSL.inline(letters))
                .map(row -> new DeadLetterCount(
                        row.get("entity", String.class),
                        row.get("state", String.class),
                        row.get("count", Long.class),
                        row.get("oldest", Double.class),
                        row.get("of", Long.class) >= letters));
    }

    // The partial index skips closed letters, of which there may be millions.
    private static final String DEAD_LETTERS = """
            select m.entity, s.state, count(*) as count,
              extract(epoch from clock_timestamp() - min(m.collected_at))::double precision as oldest,
              (sum(count(*)) over ())::bigint as of
            from (
              select id, state from %1$s.dead_letter_state
              where state in ('open', 'quarantined') order by id limit {0}
            ) s join %1$s.dead_letter_message m on m.id = s.id
            group by m.entity, s.state order by m.entity, s.state
            """;
}
