package dev.waybill.inbox.connect;

import dev.waybill.outbox.CommitActions;
import dev.waybill.schema.GuardedConnection;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The handler's view of its connection: it cannot end the message's transaction. Otherwise a handler could commit ids of unhandled
 * messages, or roll back effects that the consumer then reports as done. It may use savepoints.
 */
final class HandlersConnection {
    private HandlersConnection() {}

    static Connection of(Connection connection) {
        return GuardedConnection.of(connection, HandlersConnection::check);
    }

    static Connection of(Connection connection, CommitActions after) {
        return GuardedConnection.of(connection, HandlersConnection::check, CommitActions.class, after);
    }

    /** For a transaction whose manager owns the savepoints. */
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
