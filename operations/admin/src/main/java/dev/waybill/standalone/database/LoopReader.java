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

/** Reads the relay loops of one destination. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class LoopReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    public LoopReader(DataSource pool, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    public List<RelayLoop> read(String destination) {
        return dsl.fetch(LOOPS.formatted(schema), val(destination))
                .map(row -> new RelayLoop(
                        row.get("relay", String.class),
                        row.get("moves", Boolean.class) ? row.get("state", String.class) : "hanging",
                        row.get("since", OffsetDateTime.class).toInstant(),
                        row.get("detail", String.class),
                        row.get("owner", Boolean.class)));
    }

    private static final String LOOPS = """
            select r.name as relay, l.state, l.since, coalesce(l.detail, '') as detail,
              l.destination = any(r.serving) or l.state in ('starting', 'failing') as moves,
              l.destination = any(r.serving) and exists (
                select from %1$s.outbox_destination d where d.destination = l.destination and d.owner = r.id) as owner
            from %1$s.relay r
            cross join lateral unnest(r.destinations, r.states, r.since, r.details) as l(destination, state, since, detail)
            where r.alive_until > clock_timestamp() and l.destination = {0}
            order by r.name, r.id
            """;
}
