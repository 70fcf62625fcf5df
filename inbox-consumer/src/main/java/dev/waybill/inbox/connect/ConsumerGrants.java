package dev.waybill.inbox.connect;

import dev.waybill.schema.Grants;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;

/** The grants that every consumer needs, which {@code Role.CONSUMER} has. */
public final class ConsumerGrants {
    private static final List<String> ALL = List.of("delete", "insert", "select", "update");

    private static final Map<String, List<String>> NEEDED = Map.ofEntries(
            Map.entry("inbox_acceptance", ALL),
            Map.entry("inbox_acceptance_seq", List.of("usage")),
            Map.entry("inbox_consumer", ALL),
            Map.entry("inbox_held_message", ALL),
            Map.entry("inbox_hold", ALL),
            Map.entry("inbox_instance", ALL),
            Map.entry("inbox_message", List.of("delete", "insert", "select")),
            Map.entry("inbox_session", ALL),
            Map.entry("inbox_start", ALL));

    private ConsumerGrants() {}

    /** Throws an {@link IllegalStateException} that names each missing grant and its statement. */
    public static void require(DSLContext dsl, SchemaName schema) {
        Grants.require(dsl, schema, "consumer", NEEDED);
    }
}
