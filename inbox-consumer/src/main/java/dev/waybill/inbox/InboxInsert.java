package dev.waybill.inbox;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.Side;
import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records an id: one prepared round trip of plain JDBC, since every message pays for it.
 *
 * <p>A consumer's own also bounds how long the transaction waits for locks. The setting travels inside the insert, where it
 * costs no statement and holds for the insert itself, which may have to wait for another delivery of the same message. Then
 * it asks for holds and deferrals, in a statement of its own, so that its snapshot is younger than that wait.
 */
final class InboxInsert {
    private static final String PLAIN = """
            insert into %s (key, consumer, message_id) values (?, ?, ?) on conflict do nothing""";

    private static final String BOUNDED = """
            insert into %s (key, consumer, message_id)
            select ?::uuid, ?::text, ?::text from (select set_config('lock_timeout', '%dms', true)) bounded
            on conflict do nothing""";

    // The longer key is that of the message alone.
    private static final String TROUBLE = """
            ;
            select
                (select key from %s where side = 'inbox' and scope = ? and key in (?, ?) order by length(key) desc limit 1),
                exists (select from %s where key = ?),
                pg_backend_pid(), now()""";

    private static final String SAVEPOINT = "savepoint waybill_message;\n";
    private static final String NEXT_SAVEPOINT = "release savepoint waybill_message;\n" + SAVEPOINT;

    /** Undoes what came after the last savepoint. */
    static final String ROLL_BACK = "rollback to savepoint waybill_message";

    private final String sql;
    private final String find;
    private final String admit;
    private final String commitAndAdmit;
    private final String admitFirst;
    private final String admitNext;

    private InboxInsert(SchemaName schema, String insert) {
        sql = insert;
        find = "select from " + schema.table("inbox_message") + " where key = ?";
        admit = insert + TROUBLE.formatted(schema.table("hold"), schema.table("inbox_deferral"));
        commitAndAdmit = Commit.SQL + ";\nbegin;\n" + admit;
        admitFirst = SAVEPOINT + admit;
        admitNext = NEXT_SAVEPOINT + admit;
    }

    static InboxInsert plain(SchemaName schema) {
        return new InboxInsert(schema, PLAIN.formatted(schema.table("inbox_message")));
    }

    static InboxInsert bounded(SchemaName schema, Duration lockTimeout) {
        return new InboxInsert(schema, BOUNDED.formatted(schema.table("inbox_message"), lockTimeout.toMillis()));
    }

    /** Whether the id is new. */
    boolean execute(Connection connection, String consumer, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, InboxKey.of(consumer, id), consumer, id);
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

    /** The same, and whether anything is known that speaks against handling the message. */
    Admission admit(Connection connection, String consumer, InboundMessage message) throws SQLException {
        return admit(connection, consumer, message, admit, 0);
    }

    /**
     * Commits, begins a new transaction and does the same there, in one round trip. Where this fails it is not known whether
     * the commit did, as ever when a commit fails.
     */
    Admission commitAndAdmit(Connection connection, String consumer, InboundMessage message) throws SQLException {
        return admit(connection, consumer, message, commitAndAdmit, 3);
    }

    /** The same behind a savepoint, in the same round trip; the savepoint before is released. */
    Admission admitBehindSavepoint(Connection connection, String consumer, InboundMessage message, boolean first)
            throws SQLException {
        return first
                ? admit(connection, consumer, message, admitFirst, 1)
                : admit(connection, consumer, message, admitNext, 2);
    }

    private static Admission admit(
            Connection connection, String consumer, InboundMessage message, String statements, int before)
            throws SQLException {
        @Nullable String session = message.session().orElse(null);
        UUID key = InboxKey.of(consumer, message.id());
        try (PreparedStatement statement = connection.prepareStatement(statements)) {
            bind(statement, key, consumer, message.id());
            String alone =
                    HoldKey.message(Side.INBOX, consumer, session, message.id()).text();
            statement.setString(4, consumer);
            statement.setString(
                    5,
                    session == null
                            ? alone
                            : HoldKey.session(Side.INBOX, consumer, session).text());
            statement.setString(6, alone);
            statement.setObject(7, key);
            statement.execute();
            for (int i = 0; i < before; i++) {
                statement.getMoreResults();
            }
            boolean first = statement.getUpdateCount() == 1;
            statement.getMoreResults();
            try (ResultSet trouble = statement.getResultSet()) {
                trouble.next();
                return new Admission(
                        first,
                        trouble.getString(1),
                        trouble.getBoolean(2),
                        new Backend(trouble.getInt(3), trouble.getString(4)));
            }
        }
    }

    private static void bind(PreparedStatement statement, UUID key, String consumer, String id) throws SQLException {
        statement.setObject(1, key);
        statement.setString(2, consumer);
        statement.setString(3, id);
    }
}
