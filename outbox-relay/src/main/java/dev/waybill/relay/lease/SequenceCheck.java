package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.Collection;
import org.jooq.DSLContext;

/** Raises {@code outbox_seq} above all pending values, which a restore or logical cutover may leave above it. */
final class SequenceCheck {
    private final SqlFiles sql;

    SequenceCheck(SchemaName schema) {
        sql = new SqlFiles(SequenceCheck.class, schema);
    }

    /** Returns whether the sequence was behind. */
    boolean raise(DSLContext tx, Collection<String> destinations) {
        String[] names = destinations.toArray(String[]::new);
        if (names.length == 0 || tx.fetch(sql.get("sequence-lag"), val(names)).isEmpty()) {
            return false;
        }
        tx.fetch(ONE_AT_A_TIME);
        tx.fetch(sql.get("sequence-raise"), val(names));
        return true;
    }

    // "WAYC", next to the class of the session locks.
    private static final String ONE_AT_A_TIME = "select pg_advisory_xact_lock(1463900483, 0)";
}
