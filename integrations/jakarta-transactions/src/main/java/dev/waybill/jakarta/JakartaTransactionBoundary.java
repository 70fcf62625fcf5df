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
 * <p><b>Not detected:</b> work in transactions of its own ({@code REQUIRES_NEW}, {@code NOT_SUPPORTED}), because
 * {@code jakarta.transaction} does not report a suspension. Each retry repeats such work. The test kit detects it.
 */
public final class JakartaTransactionBoundary implements TransactionBoundary {
    /**
     * 24 days, in seconds: the longest timeout whose milliseconds fit an {@code int}. If the manager timed out and rolled back, the
     * handler would continue without a transaction, on connections with auto-commit. The consumer has a timeout of its own: it
     * interrupts the handler, cancels its statement and cuts its connection.
     */
    private static final int NEVER = Integer.MAX_VALUE / 1_000;

    private final UserTransaction transactions;
    private final ThreadConnections connections;

    /** @param enlisted its connections take part in the thread's transaction; of the consumer's database */
    public JakartaTransactionBoundary(UserTransaction transactions, DataSource enlisted) {
        this.transactions = transactions;
        this.connections = new ThreadConnections(enlisted);
    }

    @Override
    public Transaction begin(Duration longest) throws Exception {
        if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
            throw new IllegalStateException("The thread has a transaction already");
        }
        beginWithoutLimit();
        try {
            return new Begun(transactions, connections, connections.first());
        } catch (Throwable e) {
            rollBackAfter(transactions, e);
            throw e;
        }
    }

    // The timeout belongs to the thread, which may run another transaction next.
    private void beginWithoutLimit() throws Exception {
        transactions.setTransactionTimeout(NEVER);
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

    private static void rollBackAfter(UserTransaction transactions, Throwable cause) {
        try {
            transactions.rollback();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    private record Begun(UserTransaction transactions, ThreadConnections connections, Connection connection)
            implements Transaction {
        // After a service failed, a commit throws. If the handler suspended this transaction and began another one,
        // a commit would end that one.
        @Override
        public boolean isRollbackOnly() throws SystemException, SQLException {
            return transactions.getStatus() != Status.STATUS_ACTIVE || connections.isOfAnother(connection);
        }

        // Closes the handle first, because pools warn of open handles. The transaction keeps the connection.
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
                // The handle closes before the transaction ends, even if the close fails.
                connections.cutIfOfAnother(connection, transactions.getStatus() != Status.STATUS_NO_TRANSACTION);
            } finally {
                transactions.rollback();
            }
        }
    }
}
