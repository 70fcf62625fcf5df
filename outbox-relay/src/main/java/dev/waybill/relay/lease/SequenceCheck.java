package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Raises {@code outbox_seq} above all values that wait. A restore of tables, or a logical cutover, may leave it behind: new
 * messages would come before older ones of their session, until an insert of the application meets a value that is taken.
 */
final class SequenceCheck {
    private final SqlFiles sql;

    SequenceCheck(SchemaName schema) {
        sql = new SqlFiles(SequenceCheck.class, schema);
    }

    /** Returns whether the sequence was behind a value that waits for one of the destinations; it no longer is. */
    boolean raise(DSLContext tx, Collection<String> destinations) {
        String[] names = destinations.toArray(String[]::new);
        if (names.length == 0 || tx.fetch(sql.get("sequence-lag"), val(names)).isEmpty()) {
            return false;
        }
        tx.fetch(ONE_AT_A_TIME);
        tx.fetch(sql.get("sequence-raise"), val(names));
        return true;
    }

    // "WAYC": beside the class of the sessions' locks.
    private static final String ONE_AT_A_TIME = "select pg_advisory_xact_lock(1463900483, 0)";
}
