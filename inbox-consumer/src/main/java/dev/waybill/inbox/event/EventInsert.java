package dev.waybill.inbox.event;

import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.event.MessageEvents.Copy;
import dev.waybill.inbox.event.MessageEvents.Noted;
import dev.waybill.inbox.event.MessageEvents.What;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Inserts events of a consumer's messages, many in one statement, with the database's time. Thread-safe. */
final class EventInsert {
    private static final String INSERT = """
            insert into %s (
                side, scope, entity, event, message_id, session_id, origin_position, origin_time, deliveries, at, since, times,
                reason, description)
            select 'inbox', ?, ?, e.event, e.message_id, e.session_id, e.origin_position, e.origin_time, e.deliveries,
                now() - e.age * interval '1 microsecond',
                case when e.times > 1 then now() - e.first_age * interval '1 microsecond' end,
                e.times, nullif(e.reason, ''), nullif(e.description, '')
            from unnest(
                ?::text[], ?::text[], ?::text[], ?::bigint[], ?::timestamptz[], ?::bigint[], ?::bigint[], ?::bigint[], ?::integer[],
                ?::text[], ?::text[])
                as e(event, message_id, session_id, origin_position, origin_time, deliveries, age, first_age, times,
                    reason, description)""";

    private final Database database;
    private final String consumer;
    private final String entity;
    private final String sql;
    private final String trim;
    private final OptionalTable table;

    /** @param entity the queue or subscription that the consumer receives from */
    EventInsert(Database database, SchemaName schema, String consumer, String entity) {
        this.database = database;
        this.consumer = consumer;
        this.entity = EventText.of(entity, Integer.MAX_VALUE);
        sql = INSERT.formatted(schema.table("message_event"));
        table = new OptionalTable(schema, "message_event");
        trim = "select " + schema.table("message_event_trim") + "()";
    }

    // Reads both clocks at the begin of the transaction, so that a wait for a connection or lock does not make an event
    // later.
    void write(List<Map.Entry<What, Noted>> events, LongSupplier clock) throws SQLException {
        if (!table.isInstalled(database)) {
            return;
        }
        database.transaction(tx -> {
            long now = clock.getAsLong();
            try (PreparedStatement statement = tx.prepareStatement(sql)) {
                statement.setString(1, consumer);
                statement.setString(2, entity);
                var columns = new Columns(tx, statement, events);
                columns.add("text", e -> e.getKey().event());
                columns.add("text", e -> copy(e).id());
                columns.add("text", e -> copy(e).session());
                columns.add("bigint", e -> copy(e).sequenceNumber());
                columns.add("text", e -> copy(e).enqueuedAt().toString());
                columns.add("bigint", e -> copy(e).deliveries());
                columns.add("bigint", e -> (now - e.getValue().last()) / 1_000);
                columns.add("bigint", e -> (now - e.getValue().first()) / 1_000);
                columns.add("integer", e -> e.getValue().times());
                columns.add("text", e -> e.getKey().reason());
                columns.add("text", e -> e.getValue().description());
                statement.executeUpdate();
            }
        });
    }

    void trim() throws SQLException {
        if (table.isInstalled(database)) {
            database.number(trim);
        }
    }

    private static Copy copy(Map.Entry<What, Noted> event) {
        return event.getKey().copy();
    }

    private static final class Columns {
        private final Connection tx;
        private final PreparedStatement statement;
        private final List<Map.Entry<What, Noted>> events;
        private int last = 2;

        Columns(Connection tx, PreparedStatement statement, List<Map.Entry<What, Noted>> events) {
            this.tx = tx;
            this.statement = statement;
            this.events = events;
        }

        void add(String type, Function<Map.Entry<What, Noted>, @Nullable Object> value) throws SQLException {
            @Nullable Object[] values = events.stream().map(value).toArray();
            statement.setArray(++last, tx.createArrayOf(type, values));
        }
    }
}
