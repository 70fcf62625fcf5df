package dev.waybill.outbox;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Work in a transaction of {@link Outbox#inJdbcTransaction}. */
@FunctionalInterface
public interface JdbcWork<X extends Exception> {
    /**
     * Runs once.
     *
     * @param tx the transaction's connection, which refuses to commit, to roll back as a whole and to be closed;
     *     {@link Outbox#append(Connection, OutboxMessage)} takes it
     */
    void run(Connection tx) throws X;

    /** Work with a result. */
    @FunctionalInterface
    interface WithResult<T extends @Nullable Object, X extends Exception> {
        /** Runs once. */
        T run(Connection tx) throws X;
    }
}
