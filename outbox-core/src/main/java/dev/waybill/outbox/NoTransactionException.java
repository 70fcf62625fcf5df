package dev.waybill.outbox;

/**
 * Append was called outside a transaction: the row would live or die apart from the business rows.
 *
 * <p>Auto-commit tells. A connection whose auto-commit is off always counts as being in a transaction, because JDBC begins
 * one with the first statement, and only the caller knows whether that is the one of the business rows and will commit. So a
 * pool whose connections come with auto-commit off is never refused. There an append without a transaction around it is
 * undone when the connection goes back to the pool, and nobody is told; so is every other statement.
 *
 * <p>{@link Outbox#append(OutboxMessage)} asks the transaction manager instead, and refuses these too.
 */
public final class NoTransactionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NoTransactionException() {
        this("append needs the connection of an open transaction, but this one is in auto-commit mode; pass the"
                + " transaction's own DSLContext or Connection");
    }

    /** For a {@link CurrentTransaction}, which knows whether there is a transaction. */
    public NoTransactionException(String message) {
        super(message);
    }
}
