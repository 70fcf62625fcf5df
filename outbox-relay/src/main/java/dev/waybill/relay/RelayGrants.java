package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The rights that a relay needs, all of which {@code Role.RELAY} gives. */
public final class RelayGrants {
    private static final List<String> HOLDS = List.of("relay", "outbox_hold", "outbox_held_message");

    private static final Map<String, List<String>> NEEDED = Map.of(
            "insert", with(HOLDS, List.of("outbox_destination", "outbox_message")),
            "update", with(HOLDS, List.of("outbox_destination", "outbox_scheduled", "outbox_seq")),
            "delete", with(HOLDS, List.of("outbox_message", "outbox_scheduled")),
            "usage", List.of("outbox_seq"),
            "select", with(HOLDS, List.of("outbox_destination", "outbox_message", "outbox_scheduled", "outbox_seq")));

    private RelayGrants() {}

    /**
     * A right that the current role has not.
     *
     * @param privilege as in a GRANT
     * @param object a table, sequence or function of the schema, without the schema's name
     */
    public record Missing(String privilege, String object) {
        @Override
        public String toString() {
            return privilege + " on " + object;
        }
    }

    /** The rights that the current role lacks, in the order of the objects' names. Objects that do not exist are left out. */
    public static List<Missing> missing(DSLContext dsl, SchemaName schema) {
        List<Missing> needed = needed();
        return dsl.fetch(
                        LACKING.formatted(schema),
                        DSL.val(needed.stream().map(Missing::privilege).toArray(String[]::new)),
                        DSL.val(needed.stream().map(Missing::object).toArray(String[]::new)))
                .map(row -> new Missing(row.get("privilege", String.class), row.get("object", String.class)));
    }

    /**
     * Refuses a role with too few rights: some are needed only when a message is refused, or the history has changed.
     *
     * @throws IllegalStateException naming what is missing
     */
    static void require(DSLContext dsl, SchemaName schema) {
        List<Missing> missing = missing(dsl, schema);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("The relay's role lacks "
                    + missing.stream().map(Missing::toString).collect(Collectors.joining(", "))
                    + "; give it the grants that Role.RELAY prints for schema '" + schema + "'");
        }
    }

    static List<Missing> needed() {
        return NEEDED.entrySet().stream()
                .flatMap(grant -> grant.getValue().stream().map(object -> new Missing(grant.getKey(), object)))
                .sorted(Comparator.comparing(Missing::object).thenComparing(Missing::privilege))
                .toList();
    }

    private static List<String> with(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    // A function ends with its parenthesis, a sequence with its suffix. The answer about an object that does not exist
    // is null.
    private static final String LACKING = """
            select g.privilege, g.object from unnest({0}::text[], {1}::text[]) with ordinality as g(privilege, object, place)
            where case
              when right(g.object, 1) = ')'
                then has_function_privilege(to_regprocedure('%1$s.' || g.object)::oid, g.privilege)
              when right(g.object, 4) = '_seq'
                then has_sequence_privilege(to_regclass('%1$s.' || g.object)::oid, g.privilege)
              else has_table_privilege(to_regclass('%1$s.' || g.object)::oid, g.privilege)
              end is false
            order by g.place
            """;
}
