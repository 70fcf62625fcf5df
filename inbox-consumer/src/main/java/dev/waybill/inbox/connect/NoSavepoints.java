package dev.waybill.inbox.connect;

import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/**
 * Refuses {@code tx.transaction(...)} in a transaction that somebody else manages. A savepoint
 * that the manager does not know would undo rows and leave what a persistence context knows of them.
 */
final class NoSavepoints implements TransactionProvider {
    @Override
    public void begin(TransactionContext context) {
        throw refused();
    }

    @Override
    public void commit(TransactionContext context) {
        throw refused();
    }

    @Override
    public void rollback(TransactionContext context) {}

    static IllegalStateException refused() {
        return new IllegalStateException(
                "A handler must not set savepoints here: its transaction belongs to a manager, which"
                        + " nests transactions by its own means");
    }
}
