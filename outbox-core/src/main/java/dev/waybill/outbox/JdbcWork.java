package dev.waybill.outbox;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Work in a transaction of {@link Outbox#inJdbcTransaction}. */
@FunctionalInterface
public interface JdbcWork<X extends Exception> {
    /** Runs once. The connection rejects commit, close, and a rollback without a savepoint. */
    void run(Connection tx) throws X;

    /** Work with a result. */
    @FunctionalInterface
    interface WithResult<T extends @Nullable Object, X extends Exception> {
        /** As {@link JdbcWork#run}. */
        T run(Connection tx) throws X;
    }
}
