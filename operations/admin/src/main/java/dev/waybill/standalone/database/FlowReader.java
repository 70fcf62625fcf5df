package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

final class FlowReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    FlowReader(DataSource dataSource, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    Map<String, Flow> read(Collection<String> destinations) {
        return dsl.fetch(RATES.formatted(schema), val(destinations.toArray(String[]::new)))
                .intoMap(row -> row.get("destination", String.class), row -> new Flow(row.get("rate", Double.class)));
    }

    private static final String RATES = """
            select s.destination, sum(s.rate)::double precision as rate
            from %1$s.relay r
            cross join lateral unnest(r.destinations, r.rates) as s(destination, rate)
            where r.alive_until > clock_timestamp() and s.destination = any ({0})
            group by s.destination
            """;
}
