package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Locks the session and inserts one message in one statement. The filter, with the lock, runs before the row's defaults. */
final class InsertOne {
    private static final String LOCKED = " where pg_advisory_xact_lock(" + SessionLocks.CLASS + ", "
            + SessionLocks.HASH.formatted("?") + ") is not null";

    private final MessageParameters parameters;
    private final String insert;
    private final String insertAndCommit;
    private final String lockAndInsert;
    private final String lockInsertAndCommit;

    InsertOne(SchemaName schema, MessageParameters parameters) {
        this.parameters = parameters;
        insert = "insert into " + schema.table("outbox_message") + " (\n" + parameters.columns + ")\nselect "
                + parameters.row;
        insertAndCommit = insert + OutboxInsert.COMMIT;
        lockAndInsert = insert + LOCKED;
        lockInsertAndCommit = lockAndInsert + OutboxInsert.COMMIT;
    }

    void execute(Connection connection, OutboxMessage message, boolean commit) throws SQLException {
        @Nullable String session = message.values().session;
        try (PreparedStatement statement = connection.prepareStatement(sql(session != null, commit))) {
            int next = parameters.bind(statement, 1, message);
            if (session != null) {
                statement.setString(next, SessionLocks.name(message.destination(), session));
            }
            statement.execute();
        }
    }

    // The driver finds a prepared statement faster by one String object.
    private String sql(boolean lock, boolean commit) {
        if (lock) {
            return commit ? lockInsertAndCommit : lockAndInsert;
        }
        return commit ? insertAndCommit : insert;
    }
}
