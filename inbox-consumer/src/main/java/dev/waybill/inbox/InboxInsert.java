package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * Records an id. A consumer's own also bounds how long the transaction waits for locks, and sees to it that its commit is on the
 * disk; that travels inside the insert, where it costs no statement and holds for the insert itself, which may have to wait for
 * another delivery of the same message. Thread-safe.
 */
final class InboxInsert {
    private static final String PLAIN = """
            insert into %s (key, consumer, message_id) values (?, ?, ?) on conflict do nothing""";

    private static final String BOUNDED = """
            insert into %s (key, consumer, message_id)
            select ?::uuid, ?::text, ?::text from (select set_config('lock_timeout', '%dms', true), %s) bounded
            on conflict do nothing""";

    private final String sql;
    private final String find;

    private InboxInsert(SchemaName schema, String insert) {
        sql = insert;
        find = "select from " + schema.table("inbox_message") + " where key = ?";
    }

    static InboxInsert plain(SchemaName schema) {
        return new InboxInsert(schema, PLAIN.formatted(schema.table("inbox_message")));
    }

    static InboxInsert bounded(SchemaName schema, Duration lockTimeout) {
        return new InboxInsert(
                schema, BOUNDED.formatted(schema.table("inbox_message"), lockTimeout.toMillis(), SessionLock.DURABLE));
    }

    /** The statement, to be {@linkplain #bind bound}. */
    String sql() {
        return sql;
    }

    /** Whether the id is new. */
    boolean execute(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, InboxKey.of(consumer, id), consumer, id);
            return statement.executeUpdate() == 1;
        }
    }

    /** Whether the id is there. */
    boolean isRecorded(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(find)) {
            statement.setObject(1, InboxKey.of(consumer, id));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    static void bind(PreparedStatement statement, int index, UUID key, String consumer, String id) throws SQLException {
        statement.setObject(index, key);
        statement.setString(index + 1, consumer);
        statement.setString(index + 2, id);
    }
}
