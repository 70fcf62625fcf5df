package dev.waybill.outbox;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The transaction of the calling thread, as a transaction manager keeps it: Spring's, or one of {@code
 * jakarta.transaction}. With it {@link Outbox#append(OutboxMessage)} needs no connection.
 *
 * <p>An implementation asks the manager, and nobody else, whether there is a transaction. A connection whose
 * auto-commit is off proves nothing: some pools hand out all connections so. Thread-safe.
 */
public interface CurrentTransaction {
    /**
     * Runs work on the connection of the calling thread's transaction, and gives the connection back as the
     * manager wants it. The work neither ends the transaction nor closes the connection.
     *
     * @throws NoTransactionException if the thread has no transaction
     * @throws IllegalStateException if it has one in which the rows of the outbox cannot be written: a read-only
     *     one, or one of another database
     */
    <T> T join(Work<T> work) throws SQLException;

    /**
     * Runs an action once the calling thread's transaction has committed, and never if it rolls back. An action
     * that is given several times in one transaction runs once; the same object is the same action. Its failure reaches
     * neither the transaction nor its caller.
     *
     * <p>This may leave actions out where no connection is at hand: they only make relays faster. It must not wait
     * for a connection of a pool while the transaction still holds its own.
     */
    void afterCommit(AfterCommit action);

    /** Work on the transaction's connection. */
    @FunctionalInterface
    interface Work<T> {
        /** Runs once. */
        T run(Connection tx) throws SQLException;
    }

    /** Work after the commit. */
    @FunctionalInterface
    interface AfterCommit {
        /**
         * Runs once, and throws nothing.
         *
         * @param committed a connection that is in no transaction: the one that has committed, or another
         */
        void run(Connection committed);
    }
}
