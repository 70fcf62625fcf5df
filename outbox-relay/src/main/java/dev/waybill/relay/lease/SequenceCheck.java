package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Raises {@code outbox_seq} above all values that wait. A restore of tables, or a logical cutover, may leave it behind: new
 * messages would come before older ones of their session, until an insert of the application meets a value that is taken.
 */
final class SequenceCheck {
    private final SchemaName schema;

    SequenceCheck(SchemaName schema) {
        this.schema = schema;
    }

    /** Returns whether the sequence was behind a value that waits for one of the destinations; it no longer is. */
    boolean raise(DSLContext tx, Collection<String> destinations) {
        String[] names = destinations.toArray(String[]::new);
        if (names.length == 0 || tx.fetch(LAG.formatted(schema), val(names)).isEmpty()) {
            return false;
        }
        tx.fetch(ONE_AT_A_TIME);
        tx.fetch(RAISE.formatted(schema), val(names));
        return true;
    }

    // The sequence is read after the snapshot was taken, so it is never behind a value that was allocated from it. The
    // aggregate of held values has no index; holds are few.
    private static final String HIGHEST = """
            with highest as materialized (
              select max(w.value) as value from unnest({0}::text[]) as c(destination)
              cross join lateral (
                (select m.seq from %1$s.outbox_message m where m.destination = c.destination order by m.seq desc limit 1)
                union all
                (select max(m.origin_position) from %1$s.outbox_hold h
                 join %1$s.outbox_held_message m on m.hold_id = h.id where h.destination = c.destination)) as w(value))
            """;

    private static final String LAG =
            HIGHEST + "select from highest h join %1$s.outbox_seq s on h.value > s.last_value";

    // "WAYC": beside the class of the sessions' locks.
    private static final String ONE_AT_A_TIME = "select pg_advisory_xact_lock(1463900483, 0)";

    // Only up. Others allocate values between the reading of the last one and the new one: far fewer than ten thousand.
    private static final String RAISE = HIGHEST + """
            select setval('%1$s.outbox_seq', h.value + 10000)
            from highest h join %1$s.outbox_seq s on h.value > s.last_value
            """;
}
