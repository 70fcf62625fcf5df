package dev.waybill.relay.claims;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;

/**
 * The register of bodies that are kept outside their messages.
 *
 * <pre>
 *   needed ──note──▶ published ──expire──▶ removing ──delete──▶ (gone)
 *      ▲                 │
 *      └── append again ─┘
 * </pre>
 *
 * <p>A body is needed while its message waits for its time, waits to be published, or is held, and kept as long as a dead letter
 * names it. The settle of a message {@linkplain #published notes} its claim; what a crash between the two has left, and what an
 * operator has skipped, is found by looking through the outbox from time to time.
 */
public final class ClaimTable {
    /** Before the first. */
    static final UUID START = new UUID(0, 0);

    private final DSLContext dsl;
    private final SqlFiles sql;

    /** The claims in a schema. */
    public ClaimTable(DSLContext dsl, SchemaName schema) {
        this.dsl = OptionalTables.of(dsl, schema);
        sql = new SqlFiles(ClaimTable.class, schema);
    }

    /** The broker has the messages of these claims. */
    public void published(Collection<UUID> claims) {
        dsl.execute(sql.get("claim-published"), val(claims.toArray(UUID[]::new)));
    }

    /**
     * Looks at the next claims that have counted as needed for a day, and notes those whose messages are nowhere any more. Looks
     * through the outbox if there are such claims.
     *
     * @param after where the last look ended
     * @return where this look ended; {@link #START} if it has seen the last
     */
    UUID noteForgotten(UUID after, int limit) {
        var seen = dsl.transactionResult(tx -> tx.dsl().fetchSingle(sql.get("claim-note"), val(after), val(limit)));
        return seen.get("seen", Integer.class) < limit ? START : seen.get("last", UUID.class);
    }

    /** Marks for removal what has been published for so long; returns how many. */
    int expire(Duration retention, int limit) {
        return dsl.transactionResult(
                tx -> tx.dsl().execute(sql.get("claim-expire"), val(retention.toMillis()), val(limit)));
    }

    List<UUID> removing(int limit) {
        return dsl.transactionResult(tx -> tx.dsl().fetch(sql.get("claim-removing"), val(limit)))
                .getValues(0, UUID.class);
    }

    void delete(Collection<UUID> claims) {
        dsl.transaction(tx -> tx.dsl().execute(sql.get("claim-delete"), val(claims.toArray(UUID[]::new))));
    }
}
