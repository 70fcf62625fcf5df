package dev.waybill.deadletter.redrive;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
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
        return new MovedDestinations(dsl.fetch(new SqlFiles(MovedDestinations.class, schema).get("moved-destinations"))
                .intoMap(row -> row.get("path", String.class), row -> row.get("destination", String.class)));
    }

    /** The destination of what comes from a queue or subscription. */
    String destination(String path) {
        String entity = DeadLetterEntity.ofPath(path, false).destination();
        return destinations.getOrDefault(entity.toLowerCase(Locale.ROOT), entity);
    }
}
