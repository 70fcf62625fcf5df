package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Records an id: one prepared statement of plain JDBC, since every message pays for it.
 *
 * <p>A consumer's own also bounds how long the transaction waits for locks. The setting travels inside the insert, where it
 * costs no round trip and holds for the insert itself, which may have to wait for another delivery of the same message.
 */
final class InboxInsert {
    private static final String PLAIN = """
            insert into %s (key, consumer, message_id) values (?, ?, ?) on conflict do nothing""";

    private static final String BOUNDED = """
            insert into %s (key, consumer, message_id)
            select ?::uuid, ?::text, ?::text from (select set_config('lock_timeout', '%dms', true)) bounded
            on conflict do nothing""";

    private final String sql;

    private InboxInsert(String sql) {
        this.sql = sql;
    }

    static InboxInsert plain(SchemaName schema) {
        return new InboxInsert(PLAIN.formatted(schema.table("inbox_message")));
    }

    static InboxInsert bounded(SchemaName schema, Duration lockTimeout) {
        return new InboxInsert(BOUNDED.formatted(schema.table("inbox_message"), lockTimeout.toMillis()));
    }

    /** Whether the id is new. */
    boolean execute(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, InboxKey.of(consumer, id));
            statement.setString(2, consumer);
            statement.setString(3, id);
            return statement.executeUpdate() == 1;
        }
    }
}
