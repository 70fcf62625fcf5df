package dev.waybill.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A manager of transactions that binds a connection to the thread, and no more than that. */
final class ThreadBoundTransaction implements CurrentTransaction {
    private final DataSource pool;
    // One for each manager: a test may have two of them.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Bound> bound = new ThreadLocal<>();

    private final AtomicInteger ran = new AtomicInteger();

    ThreadBoundTransaction(DataSource pool) {
        this.pool = pool;
    }

    /** The work in a transaction. */
    interface Body {
        void run() throws SQLException;
    }

    void inTransaction(Body body) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Bound current = new Bound(connection, Collections.newSetFromMap(new IdentityHashMap<>()));
            bound.set(current);
            try {
                body.run();
                end(current);
            } finally {
                bound.remove();
                leave(connection);
            }
        }
    }

    // Auto-commit would commit what is open.
    private static void leave(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private void end(Bound current) throws SQLException {
        if (!current.connection.getAutoCommit()) {
            current.connection.commit();
        }
        for (AfterCommit action : current.actions) {
            ran.incrementAndGet();
            action.run(current.connection);
        }
    }

    Connection connection() {
        return current().connection;
    }

    /** How many actions have run after commits. */
    int ran() {
        return ran.get();
    }

    private Bound current() {
        Bound current = bound.get();
        if (current == null) {
            throw new NoTransactionException("The thread has no transaction");
        }
        return current;
    }

    @Override
    public <T> T join(Work<T> work) throws SQLException {
        return work.run(current().connection);
    }

    @Override
    public void afterCommit(AfterCommit action) {
        current().actions.add(action);
    }

    private record Bound(Connection connection, Set<AfterCommit> actions) {}
}
