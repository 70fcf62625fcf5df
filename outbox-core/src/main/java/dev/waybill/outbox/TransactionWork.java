package dev.waybill.outbox;

import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Work in a transaction of {@link Outbox#inTransaction}. */
@FunctionalInterface
public interface TransactionWork<X extends Exception> {
    /** Runs once. */
    void run(DSLContext tx) throws X;

    /** Work with a result. */
    @FunctionalInterface
    interface WithResult<T extends @Nullable Object, X extends Exception> {
        /** As {@link TransactionWork#run}. */
        T run(DSLContext tx) throws X;
    }
}
