package dev.waybill.outbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the sessions' locks, then inserts the rows, in one round trip: one statement for the usual single row, two that the
 * driver sends together for more.
 *
 * <p>Plain JDBC rather than a query built each time: this is what every business transaction pays, and building the query
 * took longer than running it.
 *
 * <p>The locks are taken in the order of their keys, because two sessions may hash to one key. All of them are held before
 * the first row's defaults draw a sequence value.
 */
final class OutboxInsert {
    /** PostgreSQL takes 65,535 parameters in a statement, and a row needs 14 of them. */
    private static final int ROWS_PER_STATEMENT = 1_000;

    private static final String LOCK_MANY = SessionLocks.TAKE.formatted("?") + ";\n";

    static final String COLUMNS = """
              destination, session_id, message_id, partition_key, subject, content_type, correlation_id, to_address,
              reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload""";

    /** The values of {@link #COLUMNS}. */
    static final String ROW = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?";

    private static final String COMMIT = ";\ncommit";

    // The server calls the function before it works out the row that depends on it, the row's defaults included.
    private static final String FROM_LOCK = " from pg_advisory_xact_lock(" + SessionLocks.CLASS + ", hashtext(?))";

    private final String insert;
    private final String insertOne;
    private final String insertOneAndCommit;
    private final String lockAndInsertOne;
    private final String lockAndInsertOneAndCommit;

    OutboxInsert(SchemaName schema) {
        insert = "insert into " + schema.table("outbox_message") + " (\n" + COLUMNS + ")\n";
        insertOne = insert + "values (" + ROW + ")";
        insertOneAndCommit = insertOne + COMMIT;
        lockAndInsertOne = insert + "select " + ROW + FROM_LOCK;
        lockAndInsertOneAndCommit = lockAndInsertOne + COMMIT;
    }

    void execute(Connection connection, List<OutboxMessage> messages) throws SQLException {
        execute(connection, messages, "");
    }

    /** Sends the COMMIT of the connection's transaction behind the rows, in the same round trip. */
    void executeAndCommit(Connection connection, List<OutboxMessage> messages) throws SQLException {
        execute(connection, messages, COMMIT);
    }

    private void execute(Connection connection, List<OutboxMessage> messages, String end) throws SQLException {
        if (messages.size() == 1) {
            insertOne(connection, messages.get(0), !end.isEmpty());
            return;
        }
        // The first statement takes the locks of all: taken piece by piece, two lists could wait for each other.
        List<String> toLock = lockNames(messages);
        for (int start = 0; start < messages.size(); start += ROWS_PER_STATEMENT) {
            int next = Math.min(start + ROWS_PER_STATEMENT, messages.size());
            insertMany(connection, toLock, messages.subList(start, next), next == messages.size() ? end : "");
            toLock = List.of();
        }
    }

    private void insertOne(Connection connection, OutboxMessage message, boolean commit) throws SQLException {
        @Nullable String session = message.values().session;
        try (PreparedStatement statement = connection.prepareStatement(one(session == null, commit))) {
            int next = bindRow(statement, 1, message);
            if (session != null) {
                statement.setString(next, SessionLocks.name(message.destination(), session));
            }
            statement.execute();
        }
    }

    // One object per statement, by which the driver finds it prepared without reading it.
    private String one(boolean lockless, boolean commit) {
        if (lockless) {
            return commit ? insertOneAndCommit : insertOne;
        }
        return commit ? lockAndInsertOneAndCommit : lockAndInsertOne;
    }

    private void insertMany(Connection connection, List<String> toLock, List<OutboxMessage> messages, String end)
            throws SQLException {
        String rows = String.join(", ", Collections.nCopies(messages.size(), "(" + ROW + ")"));
        String sql = (toLock.isEmpty() ? "" : LOCK_MANY) + insert + "values " + rows + end;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            if (!toLock.isEmpty()) {
                statement.setArray(next++, connection.createArrayOf("text", toLock.toArray()));
            }
            for (OutboxMessage message : messages) {
                next = bindRow(statement, next, message);
            }
            statement.execute();
        }
    }

    private static List<String> lockNames(List<OutboxMessage> messages) {
        return messages.stream()
                .filter(message -> message.values().session != null)
                .map(message -> SessionLocks.name(message.destination(), message.values().session))
                .distinct()
                .toList();
    }

    /** Binds a message's values from a place on; returns the place after them. */
    static int bindRow(PreparedStatement statement, int first, OutboxMessage message) throws SQLException {
        var values = message.values();
        int next = first;
        statement.setString(next++, values.destination);
        next = bindText(
                statement,
                next,
                values.session,
                message.id(),
                values.partitionKey,
                values.subject,
                values.contentType,
                values.correlationId,
                values.toAddress,
                values.replyTo,
                values.replyToSession);
        bindTimes(statement, next, values);
        statement.setString(next + 2, values.headers.isEmpty() ? null : Headers.write(values.headers));
        statement.setBytes(next + 3, values.body);
        return next + 4;
    }

    private static int bindText(PreparedStatement statement, int first, @Nullable String... texts) throws SQLException {
        int next = first;
        for (String text : texts) {
            statement.setString(next++, text);
        }
        return next;
    }

    private static void bindTimes(PreparedStatement statement, int first, OutboxMessage.Builder values)
            throws SQLException {
        if (values.timeToLive == null) {
            statement.setNull(first, Types.BIGINT);
        } else {
            statement.setLong(first, values.timeToLive.toMillis());
        }
        @Nullable Instant scheduled = values.scheduledEnqueueTime;
        if (scheduled == null) {
            statement.setNull(first + 1, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(first + 1, scheduled.atOffset(ZoneOffset.UTC));
        }
    }
}
