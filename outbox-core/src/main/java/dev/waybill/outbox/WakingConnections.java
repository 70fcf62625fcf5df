package dev.waybill.outbox;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Gives a connection back only after relays were told of the rows that it has committed. At this place nothing that happens
 * to the notification reaches the transaction or its caller any more.
 */
final class WakingConnections implements ConnectionProvider {
    private final ConnectionProvider connections;
    private final CommitNews news;

    // A transaction is committed and its connection given back by one thread, in one call. Each provider has its own,
    // because one may commit inside another's transaction.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Collection<CurrentTransaction.AfterCommit>> due = new ThreadLocal<>();

    WakingConnections(ConnectionProvider connections, CommitNews news) {
        this.connections = connections;
        this.news = news;
    }

    /** The action that notifies relays of these messages. */
    CurrentTransaction.AfterCommit notification(Collection<OutboxMessage> messages) {
        return connection -> news.committed(connection, messages);
    }

    /** Runs the end of a transaction that commits, and then these actions. */
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
                        "The outbox's data source gives out the connection of an open transaction,"
                                + " which the outbox would commit: append in that transaction, or build the outbox with the pool beneath");
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
                // The relay that is notified may have a transaction of its own here.
                due.remove();
                actions.forEach(action -> action.run(connection));
            }
        } finally {
            connections.release(connection);
        }
    }
}
