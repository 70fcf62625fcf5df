package dev.waybill.outbox;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The calling thread's transaction, from a transaction manager such as Spring or {@code jakarta.transaction}. It lets
 * {@link Outbox#append(OutboxMessage)} work without a connection. Thread-safe.
 *
 * <p>An implementation asks the manager whether a transaction is open. A connection without auto-commit proves nothing, because
 * some pools return all connections so.
 */
public interface CurrentTransaction {
    /**
     * Runs work on the connection of the thread's transaction and returns the connection to the manager. The work must neither
     * end the transaction nor close the connection.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws IllegalStateException if the transaction cannot write the outbox: it is read-only or of another database
     */
    <T> T join(Work<T> work) throws SQLException;

    /**
     * Runs an action after the thread's transaction has committed, and never after a rollback. Equal objects are one action,
     * which runs once. A failure of the action reaches neither the transaction nor its caller.
     *
     * <p>An implementation may skip actions if it has no connection at hand, since actions only wake relays. It must not wait
     * for a pool while the transaction holds its own connection.
     */
    void afterCommit(AfterCommit action);

    @FunctionalInterface
    interface Work<T> {
        T run(Connection tx) throws SQLException;
    }

    @FunctionalInterface
    interface AfterCommit {
        /** Must not throw. {@code committed} is a connection outside a transaction. */
        void run(Connection committed);
    }
}
