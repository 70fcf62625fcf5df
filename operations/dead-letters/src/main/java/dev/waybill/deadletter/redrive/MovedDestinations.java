package dev.waybill.deadletter.redrive;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.Locale;
import java.util.Map;
import org.jooq.DSLContext;

/** Destinations that have moved keep their names: letters of an entity go to the destination that has it now. */
record MovedDestinations(Map<String, String> destinations) {
    static MovedDestinations of(DSLContext dsl, SchemaName schema) {
        return new MovedDestinations(dsl.fetch(new SqlFiles(MovedDestinations.class, schema).get("moved-destinations"))
                .intoMap(row -> row.get("path", String.class), row -> row.get("destination", String.class)));
    }

    String destination(String path) {
        String entity = DeadLetterEntity.ofPath(path, false).destination();
        return destinations.getOrDefault(entity.toLowerCase(Locale.ROOT), entity);
    }

    /** The destination, and the subscription if it is a topic, in one spelling. */
    String place(String path) {
        String subscription = DeadLetterEntity.ofPath(path, false)
                .subscription()
                .map(name -> "/" + name)
                .orElse("");
        return BrokerNames.key(destination(path) + subscription);
    }
}
