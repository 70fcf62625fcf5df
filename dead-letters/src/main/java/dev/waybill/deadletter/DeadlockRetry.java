package dev.waybill.deadletter;

import java.util.Set;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/**
 * Takes a transaction again that lost a deadlock, or a race where transactions are REPEATABLE READ: nothing of it was done.
 */
final class DeadlockRetry {
    private static final Set<String> LOST = Set.of("40P01", "40001");
    private static final int MOST_LOSSES = 10;

    private DeadlockRetry() {}

    static <T> T of(Supplier<T> transaction) {
        int losses = 0;
        while (true) {
            try {
                return transaction.get();
            } catch (DataAccessException e) {
                if (!LOST.contains(String.valueOf(e.sqlState())) || ++losses > MOST_LOSSES) {
                    throw e;
                }
            }
        }
    }
}
