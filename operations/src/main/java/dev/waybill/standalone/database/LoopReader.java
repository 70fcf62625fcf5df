package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads what living relays do for one destination. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class LoopReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    /** The relays of an outbox. */
    public LoopReader(DataSource pool, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    /** By the relay's name. */
    public List<RelayLoop> read(String destination) {
        return dsl.fetch(LOOPS.formatted(schema), val(destination))
                .map(row -> new RelayLoop(
                        row.get("relay", String.class),
                        row.get("moves", Boolean.class) ? row.get("state", String.class) : "hanging",
                        row.get("since", OffsetDateTime.class).toInstant(),
                        row.get("detail", String.class),
                        List.of(row.get("buckets", Integer[].class))));
    }

    private static final String LOOPS = """
            select a.name as relay, l.state, l.since, coalesce(l.detail, '') as detail,
              l.destination = any(a.serving) or l.state in ('starting', 'failing', 'history') as moves,
              array(select x.bucket::integer from %1$s.outbox_lane x
                where x.owner = a.id and x.destination = l.destination and l.destination = any(a.serving)
                order by x.bucket) as buckets
            from %1$s.relay_liveness a
            cross join lateral unnest(a.destinations, a.states, a.since, a.details) as l(destination, state, since, detail)
            where a.alive and l.destination = {0}
            order by a.name, a.id
            """;
}
