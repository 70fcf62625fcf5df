package dev.waybill.inbox.connect;

import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/** Rejects savepoints that a foreign manager does not know: they would undo rows but leave its persistence context unchanged. */
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
                        + " nests transactions itself");
    }
}
