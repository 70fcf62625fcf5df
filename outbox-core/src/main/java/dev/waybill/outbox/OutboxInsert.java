package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * Locks the sessions, then inserts the rows, in one round trip. All locks are held before the first row allocates its sequence
 * value. Plain JDBC, because building a jOOQ query took longer than running it.
 */
final class OutboxInsert {
    /** PostgreSQL allows 65,535 parameters, and a row has 14. */
    private static final int ROWS_PER_STATEMENT = 1_000;

    static final String COMMIT = ";\ncommit";

    private final InsertOne usual;
    private final InsertOne full;
    private final String lockMany;
    private final String excludeWriters;
    private final String table;

    OutboxInsert(SchemaName schema) {
        usual = new InsertOne(schema, MessageParameters.USUAL);
        full = new InsertOne(schema, MessageParameters.ALL);
        lockMany = SessionLocks.TAKE.formatted("?::text[]") + ";\n";
        excludeWriters = SessionLocks.excludeWriters(schema) + ";\n";
        table = schema.table("outbox_message");
    }

    void execute(Connection connection, List<OutboxMessage> messages) throws SQLException {
        execute(connection, messages, "");
    }

    /** Appends the COMMIT of the connection's transaction to the round trip. */
    void executeAndCommit(Connection connection, List<OutboxMessage> messages) throws SQLException {
        execute(connection, messages, COMMIT);
    }

    private void execute(Connection connection, List<OutboxMessage> messages, String end) throws SQLException {
        if (messages.size() == 1) {
            executeOne(connection, messages.get(0), !end.isEmpty());
            return;
        }
        // The first statement takes all locks; taken in parts, two lists could deadlock.
        List<String> toLock = lockNames(messages);
        String lock = lock(toLock.size());
        MessageParameters parameters = MessageParameters.of(messages);
        for (int start = 0; start < messages.size(); start += ROWS_PER_STATEMENT) {
            int next = Math.min(start + ROWS_PER_STATEMENT, messages.size());
            List<OutboxMessage> rows = messages.subList(start, next);
            String sql = lock + insert(parameters, rows.size()) + (next == messages.size() ? end : "");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int first = lock.equals(lockMany) ? bindLocks(connection, statement, toLock) : 1;
                parameters.bind(statement, first, rows);
                statement.execute();
            }
            lock = "";
        }
    }

    private void executeOne(Connection connection, OutboxMessage message, boolean commit) throws SQLException {
        InsertOne one = MessageParameters.areUsual(message) ? usual : full;
        one.execute(connection, message, commit);
    }

    private String lock(int sessions) {
        if (sessions == 0) {
            return "";
        }
        return sessions <= SessionLocks.MOST_KEYS ? lockMany : excludeWriters;
    }

    private String insert(MessageParameters parameters, int rows) {
        return "insert into " + table + " (\n" + parameters.columns + ")\nvalues "
                + String.join(", ", Collections.nCopies(rows, "(" + parameters.row + ")"));
    }

    private static int bindLocks(Connection connection, PreparedStatement statement, List<String> names)
            throws SQLException {
        statement.setArray(1, connection.createArrayOf("text", names.toArray()));
        return 2;
    }

    private static List<String> lockNames(List<OutboxMessage> messages) {
        return messages.stream()
                .filter(message -> message.values().session != null)
                .map(message -> SessionLocks.name(message.destination(), message.values().session))
                .distinct()
                .toList();
    }
}
