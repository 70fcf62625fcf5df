package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The rights that a relay needs, all of which {@code Role.RELAY} gives. */
public final class RelayGrants {
    private static final List<String> MESSAGES = partitions("outbox_message", RingLayout.SLOTS);
    private static final List<String> RINGS =
            with(MESSAGES, with(partitions("outbox_progress", 4), partitions("relay_beat", 4)));
    private static final List<String> HOLDS =
            List.of("outbox_hold", "outbox_held_message", "outbox_refusal", "relay_instance");
    private static final List<String> CLAIMS = List.of("outbox_claim", "outbox_claim_body");
    private static final List<String> WRITTEN = with(
            HOLDS,
            List.of(
                    "outbox_destination",
                    "outbox_halt",
                    "outbox_lane",
                    "outbox_message",
                    "outbox_progress",
                    "outbox_straggler",
                    "outbox_suspicion",
                    "relay_beat"));

    private static final Map<String, List<String>> NEEDED = Map.of(
            "insert", WRITTEN,
            "update", with(HOLDS, List.of("outbox_lane", "outbox_suspicion", "outbox_scheduled", "outbox_claim")),
            "delete", with(with(HOLDS, CLAIMS), with(MESSAGES, List.of("outbox_straggler", "outbox_scheduled"))),
            "truncate", RINGS,
            "usage", List.of("outbox_message_seq", "outbox_progress_seq", "outbox_lane_seq", "relay_beat_seq"),
            "execute",
                    List.of(
                            "outbox_bucket(text, text)",
                            "outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8)",
                            "outbox_entity_of(text)",
                            "outbox_moves()",
                            "message_event_trim()"),
            "select",
                    with(
                            with(WRITTEN, RINGS),
                            with(
                                    CLAIMS,
                                    List.of(
                                            "outbox_cursor",
                                            "outbox_entity",
                                            "outbox_message_seq",
                                            "outbox_pause",
                                            "outbox_replay",
                                            "outbox_row",
                                            "outbox_scheduled",
                                            "relay_liveness"))));

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

    private static List<String> partitions(String table, int count) {
        return IntStream.range(0, count).mapToObj(slot -> table + "_" + slot).toList();
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
