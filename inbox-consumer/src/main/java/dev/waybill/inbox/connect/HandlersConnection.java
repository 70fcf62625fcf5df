package dev.waybill.inbox.connect;

import dev.waybill.outbox.CommitActions;
import dev.waybill.schema.GuardedConnection;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The connection as a handler has it: it cannot end the message's transaction. A handler that could would commit ids of messages
 * that nobody has handled, or roll back effects that the consumer then reports to the broker. Savepoints are the handler's own.
 */
final class HandlersConnection {
    private HandlersConnection() {}

    static Connection of(Connection connection) {
        return GuardedConnection.of(connection, HandlersConnection::check);
    }

    /** One that takes actions for after the commit. */
    static Connection of(Connection connection, CommitActions after) {
        return GuardedConnection.of(connection, HandlersConnection::check, CommitActions.class, after);
    }

    /** One whose savepoints belong to the transaction's manager. */
    static Connection managed(Connection connection) {
        return GuardedConnection.of(connection, HandlersConnection::checkManaged);
    }

    private static void check(String method, @Nullable Object @Nullable [] arguments) {
        if (GuardedConnection.endsTransaction(method, arguments)) {
            throw new IllegalStateException("A handler must not call " + method
                    + " on its connection: the consumer ends the message's transaction, by the handler's verdict");
        }
    }

    private static void checkManaged(String method, @Nullable Object @Nullable [] arguments) {
        check(method, arguments);
        if (method.equals("setSavepoint") || method.equals("rollback")) {
            throw NoSavepoints.refused();
        }
    }
}
