package dev.waybill.deadletter.redrive;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.outbox.YieldingAppend;
import dev.waybill.outbox.YieldingAppend.Session;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Appends copies of dead letters to the outbox. Bodies never leave the database. */
final class RedriveToOutbox {
    private final String copy;
    private final String needBodies;

    RedriveToOutbox(SchemaName schema) {
        copy = COPY.formatted(schema);
        needBodies = NEED_BODIES.formatted(schema);
    }

    void append(YieldingAppend append, RedriveRun run, List<RedriveItem> items, String now) {
        append.lockAll(items.stream()
                .map(item -> new Session(item.destination(run), item.message().session()))
                .toList());
        DSLContext tx = append.tx();
        tx.connection(connection -> copy(connection, run, items, now));
        Long[] claimed = items.stream()
                .filter(item -> item.message().claimed())
                .map(RedriveItem::id)
                .toArray(Long[]::new);
        if (claimed.length > 0) {
            tx.execute(needBodies, val(claimed));
        }
    }

    // By the driver, whose arrays are binary: as text they would cost as much as all that is in them.
    private void copy(Connection tx, RedriveRun run, List<RedriveItem> items, String now) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(copy))) {
            statement.setArray(1, tx.createArrayOf("bigint", of(items, RedriveItem::id, new Long[0])));
            statement.setArray(2, tx.createArrayOf("text", of(items, item -> item.destination(run), new String[0])));
            statement.setArray(3, tx.createArrayOf("text", of(items, item -> item.brokerId(run.id()), new String[0])));
            statement.setArray(4, tx.createArrayOf("text", of(items, item -> item.headers(now), new String[0])));
            statement.executeUpdate();
        }
    }

    private static <T> T[] of(List<RedriveItem> items, Function<RedriveItem, T> value, T[] type) {
        return items.stream().map(value).toList().toArray(type);
    }

    private static final String COPY = """
            insert into %1$s.outbox_message (destination, broker_message_id, session_id, message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, headers, payload)
            select o.destination, o.broker_id, m.session_id, m.message_id, m.partition_key, m.subject,
              m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
              o.headers::jsonb, m.payload
            from unnest(?, ?, ?, ?) with ordinality as o(id, destination, broker_id, headers, place)
            join %1$s.dead_letter_message m on m.id = o.id
            order by o.place
            """;

    private static final String NEED_BODIES = """
            update %1$s.outbox_claim c
            set state = 'needed', state_since = clock_timestamp(), xid = pg_current_xact_id()
            from %1$s.dead_letter_message m
            where m.id = any({0}) and m.claim = c.claim and c.state <> 'removing'
            """;
}
