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
 * The register of bodies outside their messages.
 *
 * <pre>
 *   needed ──note──▶ published ──expire──▶ removing ──delete──▶ (gone)
 *     ▲                 │
 *     └── append again ─┘
 * </pre>
 *
 * <p>A body is needed while its message is scheduled, pending or held, or a dead letter names the body. A settle
 * {@linkplain #published notes} the claims of its messages. A periodic search finds claims that a crash or a skip has left
 * behind.
 */
public final class ClaimTable {
    static final UUID START = new UUID(0, 0);

    private final DSLContext dsl;
    private final SqlFiles sql;
    private final String[] destinations;

    /** @param destinations whose bodies expire here; others may have another store, and another retention */
    public ClaimTable(DSLContext dsl, SchemaName schema, Collection<String> destinations) {
        this.dsl = OptionalTables.of(dsl, schema);
        this.destinations = destinations.toArray(String[]::new);
        sql = new SqlFiles(ClaimTable.class, schema);
    }

    /** Notes that the broker has the messages of these claims. */
    public void published(Collection<UUID> claims) {
        dsl.execute(sql.get("claim-published"), val(claims.toArray(UUID[]::new)));
    }

    /**
     * Checks claims that have been needed for a day; notes those without a message. Returns the last one, or {@link #START}.
     */
    UUID noteForgotten(UUID after, int limit) {
        var seen = dsl.transactionResult(tx -> tx.dsl().fetchSingle(sql.get("claim-note"), val(after), val(limit)));
        return seen.get("seen", Integer.class) < limit ? START : seen.get("last", UUID.class);
    }

    /** Marks claims that have been published for this time; returns their number. */
    int expire(Duration retention, int limit) {
        return dsl.transactionResult(tx ->
                tx.dsl().execute(sql.get("claim-expire"), val(retention.toMillis()), val(limit), val(destinations)));
    }

    List<UUID> removing(int limit) {
        return dsl.transactionResult(tx -> tx.dsl().fetch(sql.get("claim-removing"), val(limit), val(destinations)))
                .getValues(0, UUID.class);
    }

    void delete(Collection<UUID> claims) {
        dsl.transaction(tx -> tx.dsl().execute(sql.get("claim-delete"), val(claims.toArray(UUID[]::new))));
    }
}
