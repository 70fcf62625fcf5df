package dev.waybill.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Appends in the calling thread's transaction and wakes relays after its commit. */
final class JoinedTransactions {
    private final @Nullable CurrentTransaction current;
    private final CommitNotifier notifier;

    /** @param current null if the outbox was built without transactions */
    JoinedTransactions(@Nullable CurrentTransaction current, CommitNotifier notifier) {
        this.current = current;
        this.notifier = notifier;
    }

    /** @throws IllegalStateException if the outbox was built without transactions */
    CurrentTransaction require() {
        if (current == null) {
            throw new IllegalStateException("This outbox does not know the transaction of the thread. Pass the"
                    + " transaction's DSLContext or Connection, or build the outbox with"
                    + " Outbox.builder().transactions(...); Waybill's Spring Boot starter does so");
        }
        return current;
    }

    void append(Collection<OutboxMessage> messages, Appending appending) {
        CurrentTransaction transaction = require();
        run(transaction, tx -> {
            appending.run(tx);
            return true;
        });
        notifier.actions(messages).forEach(transaction::afterCommit);
    }

    static <T> T run(CurrentTransaction transaction, CurrentTransaction.Work<T> work) {
        try {
            return transaction.join(work);
        } catch (SQLException e) {
            throw new DataAccessException("The append failed: " + e.getMessage(), e);
        }
    }

    interface Appending {
        void run(Connection tx) throws SQLException;
    }
}
