package dev.waybill.jakarta;

import dev.waybill.inbox.TransactionBoundary;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Runs a consumer's handlers in transactions of {@link UserTransaction}. Services with {@code @Transactional}, repositories
 * and entity managers that know the same transaction manager take part. Thread-safe.
 *
 * <pre>{@code
 * InboxConsumer.builder(dataSource).transactions(new JakartaTransactionBoundary(userTransaction, dataSource))
 * }</pre>
 *
 * <p><b>Not found out:</b> work in transactions of its own ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}), because
 * {@code jakarta.transaction} tells nobody of a suspension. Such work happens again with each try. The test kit finds it.
 */
public final class JakartaTransactionBoundary implements TransactionBoundary {
    private final UserTransaction transactions;
    private final DataSource enlisted;

    /** @param enlisted its connections take part in the thread's transaction; of the consumer's database */
    public JakartaTransactionBoundary(UserTransaction transactions, DataSource enlisted) {
        this.transactions = transactions;
        this.enlisted = enlisted;
    }

    @Override
    public Transaction begin(Duration longest) throws Exception {
        if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
            throw new IllegalStateException("The thread has a transaction already");
        }
        begin(seconds(longest));
        try {
            return new Begun(transactions, enlisted.getConnection());
        } catch (Throwable e) {
            rollBackAfter(transactions, e);
            throw e;
        }
    }

    // The limit stays with the thread, which may be somebody else's next.
    private void begin(int seconds) throws Exception {
        transactions.setTransactionTimeout(seconds);
        try {
            transactions.begin();
        } catch (Throwable e) {
            transactions.setTransactionTimeout(0);
            throw e;
        }
        try {
            transactions.setTransactionTimeout(0);
        } catch (Throwable e) {
            rollBackAfter(transactions, e);
            throw e;
        }
    }

    private static int seconds(Duration longest) {
        return (int) Math.min(Integer.MAX_VALUE, longest.plusNanos(999_999_999).toSeconds());
    }

    private static void rollBackAfter(UserTransaction transactions, Throwable cause) {
        try {
            transactions.rollback();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    private record Begun(UserTransaction transactions, Connection connection) implements Transaction {
        // A limit that has passed, or a service that has failed, leaves a mark; a commit would then throw at best.
        @Override
        public boolean isRollbackOnly() throws SystemException {
            return transactions.getStatus() != Status.STATUS_ACTIVE;
        }

        // The handle first: pools complain of those that are open at the end. The transaction keeps the connection
        // itself.
        @Override
        public void commit() throws Exception {
            try {
                connection.close();
            } catch (SQLException | RuntimeException | Error e) {
                rollBackAfter(transactions, e);
                throw e;
            }
            try {
                transactions.commit();
            } catch (Exception e) {
                throw CommitCause.of(e);
            }
        }

        @Override
        public void rollBack() throws Exception {
            try (connection) {
                // Closed before the transaction ends, whatever that says.
            } finally {
                transactions.rollback();
            }
        }
    }
}
