package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import org.jooq.DSLContext;

/** The destinations that relays publish to, for those who must know whether a message would ever leave. */
record ServedDestinations(DSLContext dsl, SchemaName schema) {
    /**
     * A relay is about to serve these. In their order, so that relays that start together do not wait for each
     * other.
     */
    void announce(Collection<String> destinations) {
        dsl.execute(
                "insert into " + schema.table("outbox_destination")
                        + " (destination) select d from unnest({0}) as d order by d"
                        + " on conflict (destination) do nothing",
                val(destinations.toArray(String[]::new)));
    }
}
