package dev.waybill.inbox;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/**
 * Runs handlers in transactions of another manager, which binds them to the thread. Services and repositories that know the manager
 * take part. The message's id, the handler's effects and the commit are then one transaction of that manager.
 *
 * <p>An implementation only translates. The consumer itself checks whether the transaction may be committed, whether it was, and
 * whether the boundary works. Thread-safe.
 */
public interface TransactionBoundary {
    /**
     * Begins a new transaction and binds it to the calling thread, which has none; never joins an existing one. The transaction is READ
     * COMMITTED and not read-only. It shares nothing with an earlier attempt: it has a new persistence context and a new connection. If
     * this method throws, nothing is bound.
     *
     * @param longest the longest duration of the transaction; the manager's time limit must not be shorter. A manager that rolls back
     *     from another thread while the handler runs must have no limit: later writes of the handler would be outside the transaction
     */
    Transaction begin(Duration longest) throws Exception;

    /**
     * One transaction, for the thread that began it. {@link #commit} or {@link #rollBack} comes once, and leaves nothing bound to the
     * thread.
     */
    interface Transaction {
        /** The transaction's connection, the same object at each call. The consumer neither commits nor closes it. */
        Connection connection();

        /** Flushes what the manager holds back, such as a persistence context, so that errors appear before the commit. */
        default void flush() throws Exception {}

        /** Whether the transaction is marked to be rolled back. Its commit may then return without an error. */
        boolean isRollbackOnly() throws Exception;

        /** Work of this thread outside the transaction, or of another thread for it. One line each; empty if none is known. */
        default List<String> outside() {
            return List.of();
        }

        /** Runs a query for one text through each other way to the database that handlers may use, such as an entity manager. */
        default List<String> askElsewhere(String query) throws Exception {
            return List.of();
        }

        /** Commits, with the manager's own semantics. */
        void commit() throws Exception;

        void rollBack() throws Exception;
    }
}
