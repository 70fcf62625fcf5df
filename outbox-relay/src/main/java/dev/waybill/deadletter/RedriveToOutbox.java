package dev.waybill.deadletter;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.RedriveBatch.Item;
import dev.waybill.migrations.SchemaName;
import dev.waybill.outbox.SessionLocks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Appends copies of dead letters to the outbox. Bodies never leave the database. */
record RedriveToOutbox(SchemaName schema) {
    void append(DSLContext tx, RedriveRun run, List<Item> items, Instant now) {
        // Before the rows draw their sequence values, as every append does.
        Map<String, Set<String>> sessions = items.stream()
                .filter(item -> item.session() != null)
                .collect(groupingBy(
                        item -> destination(run, item),
                        TreeMap::new,
                        mapping(item -> String.valueOf(item.session()), toCollection(TreeSet::new))));
        sessions.forEach((destination, names) -> SessionLocks.take(tx, destination, names));
        tx.execute(
                COPY.formatted(schema),
                val(items.stream().map(Item::id).toArray(Long[]::new)),
                val(items.stream().map(item -> destination(run, item)).toArray(String[]::new)),
                val(items.stream().map(item -> item.brokerId(run.id())).toArray(String[]::new)),
                val(items.stream().map(item -> item.headers(now)).toArray(String[]::new)));
        Long[] claimed = items.stream().filter(Item::claimed).map(Item::id).toArray(Long[]::new);
        if (claimed.length > 0) {
            tx.execute(NEED_BODIES.formatted(schema), val(claimed));
        }
    }

    private static String destination(RedriveRun run, Item item) {
        return run.order()
                .target()
                .orElseGet(() ->
                        DeadLetterEntity.ofPath(item.past().entity(), false).destination());
    }

    private static final String COPY = """
            insert into %1$s.outbox_message (destination, broker_message_id, session_id, message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, headers, payload)
            select o.destination, o.broker_id, d.session_id, d.message_id, d.partition_key, d.subject,
              d.content_type, d.correlation_id, d.to_address, d.reply_to, d.reply_to_session_id, d.time_to_live,
              o.headers::jsonb, d.payload
            from unnest({0}, {1}, {2}, {3}) with ordinality as o(id, destination, broker_id, headers, place)
            join %1$s.dead_letter_message d on d.id = o.id
            order by o.place
            """;

    private static final String NEED_BODIES = """
            update %1$s.outbox_claim c
            set state = 'needed', state_since = clock_timestamp(), xid = pg_current_xact_id()
            from %1$s.dead_letter_message d
            where d.id = any({0}) and d.claim = c.claim and c.state <> 'removing'
            """;
}
