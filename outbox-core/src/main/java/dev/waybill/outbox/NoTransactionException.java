package dev.waybill.outbox;

/**
 * Append was called outside a transaction, so the message would commit without the business rows.
 *
 * <p>{@code append} recognizes this by auto-commit. A connection without auto-commit counts as in a transaction, because JDBC
 * begins one with the first statement. If a pool returns connections without auto-commit, append cannot detect a missing
 * transaction: the pool rolls the append back, like any other statement, without an error.
 *
 * <p>{@link Outbox#append(OutboxMessage)} asks the transaction manager instead and detects this case too.
 */
public final class NoTransactionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NoTransactionException() {
        this("append needs the connection of an open transaction, but this one is in auto-commit mode; pass the"
                + " transaction's own DSLContext or Connection");
    }

    /** For implementations of {@link CurrentTransaction}. */
    public NoTransactionException(String message) {
        super(message);
    }
}
