package dev.waybill.outbox;

import java.sql.Connection;
import java.util.List;
import org.jooq.ConnectionProvider;
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
    private final ThreadLocal<List<OutboxMessage>> committed = new ThreadLocal<>();

    WakingConnections(ConnectionProvider connections, CommitNews news) {
        this.connections = connections;
        this.news = news;
    }

    /** Runs the end of a transaction that has committed these messages. */
    void afterCommit(List<OutboxMessage> messages, Runnable end) {
        committed.set(messages);
        try {
            end.run();
        } finally {
            committed.remove();
        }
    }

    @Override
    public @Nullable Connection acquire() {
        return connections.acquire();
    }

    @Override
    public void release(Connection connection) {
        try {
            @Nullable List<OutboxMessage> messages = committed.get();
            if (messages != null) {
                // The relay that is told may have a transaction of its own here.
                committed.remove();
                news.committed(connection, messages);
            }
        } finally {
            connections.release(connection);
        }
    }
}
