package dev.waybill.deadletter.store;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.util.Collection;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The bodies that are kept outside messages, when what names them is removed. Thread-safe. */
public final class ClaimTable {
    private final SchemaName schema;
    private final SqlFiles sql;

    public ClaimTable(SchemaName schema) {
        this.schema = schema;
        sql = new SqlFiles(ClaimTable.class, schema);
    }

    /** Lets the relay remove published bodies that nothing names any more; returns how many. */
    public int release(DSLContext tx, Collection<UUID> claims) {
        return isInstalled(tx)
                ? OptionalTables.of(tx, schema)
                        .execute(sql.get("claims-release"), val(claims.toArray(UUID[]::new)), val("published"))
                : 0;
    }

    /** Lets the relay remove bodies that nothing names any more, published or not. For roles that may not remove bodies. */
    public void forget(DSLContext tx, Collection<@Nullable UUID> claims) {
        UUID[] named = claims.stream().filter(Objects::nonNull).toArray(UUID[]::new);
        if (named.length > 0 && isInstalled(tx)) {
            OptionalTables.of(tx, schema).execute(sql.get("claims-release"), val(named), val("needed"));
        }
    }

    /** Removes bodies that nothing names any more, published or not; in another store, the relay does. Returns how many. */
    public int remove(DSLContext tx, Collection<UUID> claims) {
        if (!isInstalled(tx)) {
            return 0;
        }
        int removed = OptionalTables.of(tx, schema)
                .execute(sql.get("claims-release"), val(claims.toArray(UUID[]::new)), val("needed"));
        tx.execute(sql.get("claim-bodies-remove"), val(claims.toArray(UUID[]::new)));
        return removed;
    }

    private boolean isInstalled(DSLContext tx) {
        return FeatureMissing.isInstalled(tx, schema, "outbox_claim");
    }
}
