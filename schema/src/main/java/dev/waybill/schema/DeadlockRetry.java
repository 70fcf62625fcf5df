package dev.waybill.schema;

import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/** Repeats transactions that PostgreSQL rolled back because of a deadlock (40P01) or serialization failure (40001). */
public final class DeadlockRetry {
    private static final int MOST_LOSSES = 10;

    private DeadlockRetry() {}

    /** Runs the transaction at most eleven times. */
    public static <T> T of(Supplier<T> transaction) {
        return alsoAfter("", attempt -> transaction.get());
    }

    /** As {@link #of}, also after failures with this SQLSTATE. Attempts are numbered from 1. */
    public static <T> T alsoAfter(String sqlState, IntFunction<T> transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.apply(attempt);
            } catch (DataAccessException e) {
                String state = String.valueOf(e.sqlState());
                boolean lost = SqlError.ROLLBACK.is(state) || state.equals(sqlState);
                if (!lost || attempt > MOST_LOSSES) {
                    throw e;
                }
            }
        }
    }
}
