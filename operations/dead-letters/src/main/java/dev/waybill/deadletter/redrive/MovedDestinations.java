package dev.waybill.deadletter.redrive;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.schema.SchemaName;
import java.util.Locale;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * The names that rows of the outbox have for the entities that dead letters come from: a destination that has moved keeps its
 * name, and its letters go to where it is now.
 *
 * @param destinations by path in lower case, of destinations that have moved
 */
record MovedDestinations(Map<String, String> destinations) {
    /** As the tables have them now. */
    static MovedDestinations of(DSLContext dsl, SchemaName schema) {
        return new MovedDestinations(dsl.fetch(PATHS.formatted(schema))
                .intoMap(row -> row.get("path", String.class), row -> row.get("destination", String.class)));
    }

    /** The destination of what comes from a queue or subscription. */
    String destination(String path) {
        String entity = DeadLetterEntity.ofPath(path, false).destination();
        return destinations.getOrDefault(entity.toLowerCase(Locale.ROOT), entity);
    }

    // The entity in force comes before those that a destination has left.
    private static final String PATHS = """
            select distinct on (p.path) p.path, p.destination
            from (
              select lower(d.entity) as path, d.destination, 0 as rank
              from %1$s.outbox_destination d where d.entity is not null
              union all
              select lower(f), d.destination, 1 from %1$s.outbox_destination d cross join unnest(d.former_entities) f) p
            order by p.path, p.rank, p.destination
            """;
}
