package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.UUID;

/**
 * Records an id. The bounded form also limits waits for locks and makes the commit durable. Those settings travel inside the insert:
 * they cost no statement, and they apply to the insert itself, which may wait for another delivery of the message. Thread-safe.
 */
public final class InboxInsert {
    private static final String PLAIN = """
            insert into %s (key, consumer, message_id, content) values (?, ?, ?, ?) on conflict do nothing""";

    private static final String SELECTED = """
            insert into %s (key, consumer, message_id, content)
            select ?::uuid, ?::text, ?::text, ?::integer from %s
            on conflict do nothing""";

    private static final String BOUNDS = "(select set_config('lock_timeout', '%sms', true), %s %s) bounded";

    private final String sql;
    private final String lockedSql;
    private final String find;
    private final String findOther;

    private final ContentChecksum checksum;

    private InboxInsert(SchemaName schema, ContentChecksum checksum, String sql, String lockedSql) {
        this.checksum = checksum;
        this.sql = sql;
        this.lockedSql = lockedSql;
        find = "select from " + schema.table("inbox_message") + " where key = ?";
        findOther = find + " and content <> ?";
    }

    public static InboxInsert plain(SchemaName schema) {
        return plain(schema, new ContentChecksum(true));
    }

    public static InboxInsert plain(SchemaName schema, ContentChecksum checksum) {
        String table = schema.table("inbox_message");
        return new InboxInsert(schema, checksum, PLAIN.formatted(table), SELECTED.formatted(table, "locked"));
    }

    public static InboxInsert bounded(SchemaName schema, Duration lockTimeout) {
        String table = schema.table("inbox_message");
        long millis = lockTimeout.toMillis();
        return new InboxInsert(
                schema,
                new ContentChecksum(true),
                SELECTED.formatted(table, BOUNDS.formatted(millis, SessionLock.DURABLE, "")),
                SELECTED.formatted(table, BOUNDS.formatted(millis, SessionLock.DURABLE, "from locked")));
    }

    String sql() {
        return sql;
    }

    // The statement's snapshot is older than the lock. That is harmless: the unique index also knows keys that were
    // committed meanwhile.
    String sqlBehind(SessionLock lock) {
        return "with locked as (" + lock.sql() + ")\n" + lockedSql;
    }

    public boolean execute(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, InboxKey.of(consumer, id), consumer, id);
            statement.setNull(4, Types.INTEGER);
            return statement.executeUpdate() == 1;
        }
    }

    public boolean isRecorded(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(find)) {
            statement.setObject(1, InboxKey.of(consumer, id));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Whether the id was recorded for a message with another content. */
    boolean isOther(Connection connection, String consumer, InboundMessage message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(findOther)) {
            statement.setObject(1, InboxKey.of(consumer, message.id()));
            statement.setInt(2, checksum.of(message));
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    int checksum(InboundMessage message) {
        return checksum.of(message);
    }

    /** Binds four values. */
    void bind(PreparedStatement statement, int index, UUID key, String consumer, InboundMessage message)
            throws SQLException {
        bind(statement, index, key, consumer, message.id());
        statement.setInt(index + 3, checksum.of(message));
    }

    private static void bind(PreparedStatement statement, int index, UUID key, String consumer, String id)
            throws SQLException {
        statement.setObject(index, key);
        statement.setString(index + 1, consumer);
        statement.setString(index + 2, id);
    }
}
