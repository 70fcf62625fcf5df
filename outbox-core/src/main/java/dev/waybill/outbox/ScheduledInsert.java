package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/** Inserts and cancels scheduled messages. A message enters the order of its session when the relay moves it. */
final class ScheduledInsert {
    // The columns after due_at are those of MessageParameters.ALL.
    private static final String INSERT = """
            insert into %s (due_at,
            %s)
            values (?, %s)
            on conflict (destination, message_id) do update set id = default, created_at = clock_timestamp(),
              due_at = excluded.due_at, session_id = excluded.session_id, partition_key = excluded.partition_key,
              subject = excluded.subject, content_type = excluded.content_type,
              correlation_id = excluded.correlation_id, to_address = excluded.to_address,
              reply_to = excluded.reply_to, reply_to_session_id = excluded.reply_to_session_id,
              time_to_live = excluded.time_to_live, scheduled_enqueue_time = excluded.scheduled_enqueue_time,
              headers = excluded.headers, payload = excluded.payload
            """;

    private static final String CANCEL = "delete from %s where destination = ? and message_id = ?";

    private final String insert;
    private final String cancel;

    ScheduledInsert(SchemaName schema) {
        String table = schema.table("outbox_scheduled");
        insert = INSERT.formatted(table, MessageParameters.ALL.columns, MessageParameters.ALL.row);
        cancel = CANCEL.formatted(table);
    }

    void execute(Connection connection, List<OutboxMessage> messages) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            for (OutboxMessage message : lastOfEachId(messages)) {
                statement.setObject(1, due(message).atOffset(ZoneOffset.UTC));
                MessageParameters.ALL.bind(statement, 2, message);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    // Any past time means at once, and PostgreSQL has none before 4713 BC.
    private static Instant due(OutboxMessage message) {
        Instant due = Objects.requireNonNull(message.values().notBefore);
        return due.isBefore(Instant.EPOCH) ? Instant.EPOCH : due;
    }

    // The driver may rewrite the batch to one statement, which may update a row only once.
    private static Collection<OutboxMessage> lastOfEachId(List<OutboxMessage> messages) {
        var last = new LinkedHashMap<List<String>, OutboxMessage>();
        for (OutboxMessage message : messages) {
            var key = List.of(message.destination(), message.id());
            last.remove(key);
            last.put(key, message);
        }
        return last.values();
    }

    boolean cancel(Connection connection, String destination, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(cancel)) {
            statement.setString(1, destination);
            statement.setString(2, id);
            return statement.executeUpdate() == 1;
        }
    }
}
