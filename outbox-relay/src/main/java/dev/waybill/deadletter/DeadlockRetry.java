package dev.waybill.deadletter;

import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/** Takes a transaction again that lost a deadlock: nothing of it was done. */
final class DeadlockRetry {
    private static final String DEADLOCK = "40P01";
    private static final int MOST_DEADLOCKS = 10;

    private DeadlockRetry() {}

    static <T> T of(Supplier<T> transaction) {
        int deadlocks = 0;
        while (true) {
            try {
                return transaction.get();
            } catch (DataAccessException e) {
                if (!DEADLOCK.equals(e.sqlState()) || ++deadlocks > MOST_DEADLOCKS) {
                    throw e;
                }
            }
        }
    }
}
