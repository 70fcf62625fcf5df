package dev.waybill.outbox;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Wakes relays before it releases a connection: then a failed notification cannot affect the transaction or its caller. */
final class WakingConnections implements ConnectionProvider {
    private final ConnectionProvider connections;
    private final CommitNotifier notifier;

    // One thread commits and releases, in one call. Each provider has its own value, because one may commit inside
    // another's transaction.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Collection<CurrentTransaction.AfterCommit>> due = new ThreadLocal<>();

    WakingConnections(ConnectionProvider connections, CommitNotifier notifier) {
        this.connections = connections;
        this.notifier = notifier;
    }

    CurrentTransaction.AfterCommit notification(Collection<OutboxMessage> messages) {
        return connection -> notifier.committed(connection, messages);
    }

    /** Runs the end of a transaction; after its commit, runs the actions. */
    void afterCommit(Collection<CurrentTransaction.AfterCommit> actions, Runnable end) {
        due.set(actions);
        try {
            end.run();
        } finally {
            due.remove();
        }
    }

    @Override
    public @Nullable Connection acquire() {
        @Nullable Connection connection = connections.acquire();
        if (connection != null) {
            requireNoTransaction(connection);
        }
        return connection;
    }

    private void requireNoTransaction(Connection connection) {
        try {
            if (DriverConnection.isInTransaction(connection)) {
                connections.release(connection);
                throw new IllegalStateException(
                        "The outbox's data source returned a connection in an open transaction,"
                                + " which the outbox would commit: append in that transaction, or build the outbox with the underlying pool");
            }
        } catch (SQLException e) {
            connections.release(connection);
            throw new DataAccessException(
                    "A connection of the outbox's data source cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public void release(Connection connection) {
        try {
            @Nullable Collection<CurrentTransaction.AfterCommit> actions = due.get();
            if (actions != null) {
                // A woken relay may begin a transaction on this thread.
                due.remove();
                actions.forEach(action -> action.run(connection));
            }
        } finally {
            connections.release(connection);
        }
    }
}
