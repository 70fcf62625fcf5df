package dev.waybill.relay.claims;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
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
    private final String published;
    private final String note;
    private final String expire;
    private final String removing;
    private final String delete;

    /** The claims in a schema. */
    public ClaimTable(DSLContext dsl, SchemaName schema) {
        this.dsl = OptionalTables.of(dsl, schema);
        published = PUBLISHED.formatted(schema);
        note = NOTE.formatted(schema, HELD.formatted(schema));
        expire = EXPIRE.formatted(schema, HELD.formatted(schema));
        removing = "select claim from %s.outbox_claim where state = 'removing' limit {0}".formatted(schema);
        delete = "delete from %s.outbox_claim where claim = any({0})".formatted(schema);
    }

    /** The broker has the messages of these claims. */
    public void published(Collection<UUID> claims) {
        dsl.execute(published, val(claims.toArray(UUID[]::new)));
    }

    /**
     * Looks at the next claims that have counted as needed for a day, and notes those whose messages are nowhere any more. Looks
     * through the outbox if there are such claims.
     *
     * @param after where the last look ended
     * @return where this look ended; {@link #START} if it has seen the last
     */
    UUID noteForgotten(UUID after, int limit) {
        var seen = dsl.transactionResult(tx -> tx.dsl().fetchSingle(note, val(after), val(limit)));
        return seen.get("seen", Integer.class) < limit ? START : seen.get("last", UUID.class);
    }

    /** Marks for removal what has been published for so long; returns how many. */
    int expire(Duration retention, int limit) {
        return dsl.transactionResult(tx -> tx.dsl().execute(expire, val(retention.toMillis()), val(limit)));
    }

    List<UUID> removing(int limit) {
        return dsl.transactionResult(tx -> tx.dsl().fetch(removing, val(limit))).getValues(0, UUID.class);
    }

    void delete(Collection<UUID> claims) {
        dsl.transaction(tx -> tx.dsl().execute(delete, val(claims.toArray(UUID[]::new))));
    }

    // Ids of messages are unique enough to find the few held ones by, with the index on their hashes; which of them
    // has the claim tells the text.
    private static final String HELD = """
            (exists (
              select from %1$s.outbox_held_message h
              where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
                and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
            or exists (
              select from %1$s.inbox_held_message h
              where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
                and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
            or exists (select from %1$s.dead_letter_message d where d.claim = c.claim))
            """;

    private static final String PUBLISHED = """
            update %1$s.outbox_claim set state = 'published', state_since = clock_timestamp()
            where claim = any({0}) and state = 'needed'
            """;

    // Built once for each statement, and only if it is asked.
    private static final String WAITING = """
            (select m.headers ->> 'waybill-claim' from %1$s.outbox_message m where jsonb_exists(m.headers, 'waybill-claim')
             union all
             select s.headers ->> 'waybill-claim' from %1$s.outbox_scheduled s where jsonb_exists(s.headers, 'waybill-claim'))
            """;

    private static final String NOTE = """
            with batch as materialized (
              select * from %1$s.outbox_claim
              where state = 'needed' and state_since < statement_timestamp() - interval '1 day' and claim > {0}
              order by claim limit {1}
            ),
            noted as (
              update %1$s.outbox_claim n set state = 'published', state_since = clock_timestamp()
              from batch c
              where n.claim = c.claim and n.state = 'needed' and n.xid = c.xid
                and (c.claim::text in
            """ + WAITING + """
                ) is not true and not %2$s
            )
            select (select count(*)::int from batch) as seen,
              (select claim from batch order by claim desc limit 1) as last
            """;

    private static final String EXPIRE = """
            update %1$s.outbox_claim set state = 'removing', state_since = clock_timestamp()
            where claim in (
              select c.claim from %1$s.outbox_claim c
              where c.state = 'published' and c.state_since < statement_timestamp() - {0} * interval '1 millisecond'
                and not %2$s and (c.claim::text in
            """ + WAITING + """
                ) is not true
              limit {1}
              for update skip locked)
            """;
}
