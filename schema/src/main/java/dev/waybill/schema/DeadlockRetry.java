package dev.waybill.schema;

import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/**
 * Repeats a transaction that lost a deadlock, or a race where transactions are REPEATABLE READ: nothing of it was
 * done. For the modules of Waybill; an application repeats its own transactions.
 */
public final class DeadlockRetry {
    private static final Set<String> LOST = Set.of("40P01", "40001");
    private static final int MOST_LOSSES = 10;

    private DeadlockRetry() {}

    /** Takes the transaction until it is not lost, at most eleven times. */
    public static <T> T of(Supplier<T> transaction) {
        return alsoAfter("", attempt -> transaction.get());
    }

    /**
     * The same for a transaction that may fail in another way, too, and is to be repeated then.
     *
     * @param sqlState of that failure
     * @param transaction is told which attempt it is, from 1
     */
    public static <T> T alsoAfter(String sqlState, IntFunction<T> transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.apply(attempt);
            } catch (DataAccessException e) {
                String state = String.valueOf(e.sqlState());
                boolean lost = LOST.contains(state) || state.equals(sqlState);
                if (!lost || attempt > MOST_LOSSES) {
                    throw e;
                }
            }
        }
    }
}
