package dev.waybill.relay;

import dev.waybill.schema.SchemaName;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Fills the places of the reader's statements: names of this schema, columns, and expressions that several share. Immutable. */
final class ReadTemplate {
    private static final Pattern WEIGHED = Pattern.compile("\\$weight\\((\\w)\\)");

    // Headers that are compressed count as the most that a message may have: their size is known only to
    // whoever unpacks them.
    private static final String WEIGHT =
            "(octet_length($1.payload) + case when pg_column_compression($1.headers) is null"
                    + " then coalesce(pg_column_size($1.headers), 0) else 65536 end)";

    // Under the sequence's own lock: read as a table, it shows for a moment values that nobody has drawn.
    private static final String SIGHT = """
            coalesce(pg_sequence_last_value('$schema.outbox_message_seq'), 0) as drawn,
            coalesce(pg_sequence_last_value('$schema.outbox_lane_seq'), 0) as changes""";

    // A lane without holds, the usual case, asks nothing of its rows.
    private static final String HELD = """
            case when l.holds and m.session_id is not null then exists (
              select from $schema.outbox_hold h where h.destination = l.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String HOLDS_DUE = """
            h.state = 'retrying' and h.due_at <= statement_timestamp()
                  and (h.attempt_until is null or h.attempt_until <= statement_timestamp())""";

    private final SchemaName schema;
    private final String columns;
    private final String row;

    ReadTemplate(SchemaName schema) {
        this.schema = schema;
        columns = OutboxRow.COLUMNS.stream()
                .map(column -> column.getName().equals("payload")
                        ? "case when m.whole then m.payload end"
                        : "m." + column.getName())
                .collect(Collectors.joining(", "));
        row = OutboxRow.COLUMNS.stream().map(column -> "p." + column.getName()).collect(Collectors.joining(", ")) + ", "
                + RowArrays.isRare("p") + " as rare";
    }

    String fill(String template) {
        return WEIGHED.matcher(template)
                .replaceAll(WEIGHT)
                .replace("$held", HELD)
                .replace("$due", HOLDS_DUE)
                .replace("$sight", SIGHT)
                .replace("$columns", columns)
                .replace("$row", row)
                .replace("$rare(m)", RowArrays.isRare("m"))
                .replace("$nothing", RowArrays.NOTHING)
                .replace("$arrays", RowArrays.COLUMNS)
                .replace("$shift", Integer.toString(RingLayout.SHIFT))
                .replace("$last_of_block", Integer.toString((1 << RingLayout.SHIFT) - 1))
                .replace("$mask", Integer.toString(RingLayout.SLOTS - 1))
                .replace("$bucket", "$schema.outbox_bucket")
                .replace("$schema", schema.toString());
    }
}
