package dev.waybill.outbox;

/** Append was called outside a transaction: the row would live or die apart from the business rows. */
public final class NoTransactionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NoTransactionException() {
        super("append needs the connection of an open transaction, but this one is in auto-commit mode; pass the"
                + " transaction's own DSLContext or Connection");
    }
}
