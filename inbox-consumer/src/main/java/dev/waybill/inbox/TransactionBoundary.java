package dev.waybill.inbox;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/**
 * Transactions of another kind than the consumer's own, in which handlers run: those of a manager that binds them
 * to the thread, so that services and repositories which know that manager take part. The message's id, the
 * handler's effects and the commit are then one transaction of that manager.
 *
 * <p>An implementation translates and no more. Whether the transaction may be committed, whether it was, and
 * whether the boundary works at all, the consumer finds out by itself. Thread-safe.
 */
public interface TransactionBoundary {
    /**
     * Begins a new transaction and binds it to the calling thread, which has none; never one that is there
     * already. In READ COMMITTED, not read-only, and with nothing left of a try before: a new persistence context,
     * a new connection. If it throws, nothing is bound.
     *
     * @param longest how long the transaction may last; a time limit of the manager must be no shorter. A manager that
     *     rolls back while the handler is at work, from another thread, must have none: what the handler writes
     *     afterwards would be outside the transaction
     */
    Transaction begin(Duration longest) throws Exception;

    /**
     * One transaction. Used by the thread that has begun it. {@link #commit} or {@link #rollBack} is called once,
     * as the last thing; whatever they throw, they leave nothing bound to the thread.
     */
    interface Transaction {
        /**
         * The transaction's connection, the same each time. The consumer neither ends the transaction by it nor
         * closes it.
         */
        Connection connection();

        /**
         * Writes out what the manager has held back, as a persistence context does, so that it fails now and not
         * later.
         */
        default void flush() throws Exception {}

        /**
         * Whether somebody has decided that the transaction is to be rolled back. Its commit may then return as if
         * nothing were wrong.
         */
        boolean isRollbackOnly() throws Exception;

        /**
         * Work done in this thread, or for it, outside the transaction: while it was suspended, or in another
         * thread. One line for each that is known; empty if there was nothing, or if the manager cannot tell.
         */
        default List<String> outside() {
            return List.of();
        }

        /**
         * Runs a query that returns one text by each other way in which a handler may reach the database in this
         * transaction, such as an entity manager.
         *
         * @return one answer for each of them
         */
        default List<String> askElsewhere(String query) throws Exception {
            return List.of();
        }

        /** Commits, as far as the manager does. */
        void commit() throws Exception;

        /** Rolls back. */
        void rollBack() throws Exception;
    }
}
