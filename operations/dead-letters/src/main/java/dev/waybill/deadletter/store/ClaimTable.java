package dev.waybill.deadletter.store;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Bodies that are kept outside their messages, when what names them is taken away. Thread-safe. */
public final class ClaimTable {
    private final SchemaName schema;
    private final String release;
    private final String removeBodies;

    public ClaimTable(SchemaName schema) {
        this.schema = schema;
        release = RELEASE.formatted(schema);
        removeBodies = REMOVE_BODIES.formatted(schema);
    }

    /**
     * Lets the relay remove those that are published and that nothing names any more.
     *
     * @return how many
     */
    public int release(DSLContext tx, Collection<UUID> claims) {
        return isInstalled(tx)
                ? OptionalTables.of(tx, schema).execute(release, val(claims.toArray(UUID[]::new)), val("published"))
                : 0;
    }

    /**
     * Lets the relay remove those that nothing names any more, whatever was known of them, because what named them was
     * ordered to be erased; those that are null are passed by. For roles that may not remove a body themselves.
     */
    public void forget(DSLContext tx, Collection<@Nullable UUID> claims) {
        UUID[] named = claims.stream().filter(Objects::nonNull).toArray(UUID[]::new);
        if (named.length > 0 && isInstalled(tx)) {
            OptionalTables.of(tx, schema).execute(release, val(named), val("needed"));
        }
    }

    /**
     * Removes the bodies of those that nothing names any more, whatever was known of them: from the database at once, from
     * another store by the relay.
     *
     * @return how many
     */
    public int remove(DSLContext tx, Collection<UUID> claims) {
        if (!isInstalled(tx)) {
            return 0;
        }
        int removed = OptionalTables.of(tx, schema).execute(release, val(claims.toArray(UUID[]::new)), val("needed"));
        tx.execute(removeBodies, val(claims.toArray(UUID[]::new)));
        return removed;
    }

    private boolean isInstalled(DSLContext tx) {
        return FeatureMissing.isInstalled(tx, schema, "outbox_claim");
    }

    // The columns are jsonb in the outbox and text in holds; a claim is found in either by its text.
    private static final String RELEASE = """
            update %1$s.outbox_claim c set state = 'removing', state_since = clock_timestamp()
            where c.claim = any({0}) and c.state in ('published', {1})
              and not exists (select from %1$s.dead_letter_message d where d.claim = c.claim)
              and not exists (
                select from %1$s.outbox_held_message h
                where h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
              and not exists (
                select from %1$s.inbox_held_message h
                where h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
              and not exists (
                select from %1$s.outbox_scheduled s
                where s.message_id = c.message_id and position(c.claim::text in s.headers::text) > 0)
              and not exists (
                select from %1$s.outbox_message m
                where m.message_id = c.message_id
                  and position(c.claim::text in m.headers::text) > 0)
            """;

    private static final String REMOVE_BODIES = """
            delete from %1$s.outbox_claim_body b using %1$s.outbox_claim c
            where b.claim = any({0}) and c.claim = b.claim and c.state = 'removing'
            """;
}
