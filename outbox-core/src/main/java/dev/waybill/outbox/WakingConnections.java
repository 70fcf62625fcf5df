package dev.waybill.outbox;

import java.sql.Connection;
import java.util.function.Consumer;
import org.jooq.ConnectionProvider;
import org.jspecify.annotations.Nullable;

/**
 * Gives a connection back only after relays were told of the rows that it has committed. At this place nothing that happens
 * to the notification reaches the transaction or its caller any more.
 */
final class WakingConnections implements ConnectionProvider {
    private final ConnectionProvider connections;
    private final Consumer<Connection> wake;

    // A transaction is committed and its connection given back by one thread, in one call.
    private final ThreadLocal<Boolean> committed = new ThreadLocal<>();

    WakingConnections(ConnectionProvider connections, Consumer<Connection> wake) {
        this.connections = connections;
        this.wake = wake;
    }

    /** Runs the end of a transaction that has committed rows. */
    void afterCommit(Runnable end) {
        committed.set(true);
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
            if (committed.get() != null) {
                wake.accept(connection);
            }
        } finally {
            connections.release(connection);
        }
    }
}
