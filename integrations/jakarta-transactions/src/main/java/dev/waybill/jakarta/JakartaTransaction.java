package dev.waybill.jakarta;

import dev.waybill.outbox.CurrentTransaction;
import dev.waybill.outbox.NoTransactionException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calling thread's transaction of {@code jakarta.transaction}, for an outbox whose {@code append(message)} joins it.
 * Thread-safe.
 *
 * <pre>{@code
 * Outbox.builder().transactions(JakartaTransaction.of(registry, dataSource).wakingOn(executor)).build()
 * }</pre>
 */
public final class JakartaTransaction implements CurrentTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(JakartaTransaction.class);
    private static final String ID = "select pg_current_xact_id()::text";

    private final TransactionSynchronizationRegistry registry;
    private final DataSource enlisted;
    private final @Nullable Executor executor;
    private volatile boolean proven;

    private JakartaTransaction(
            TransactionSynchronizationRegistry registry, DataSource enlisted, @Nullable Executor executor) {
        this.registry = registry;
        this.enlisted = enlisted;
        this.executor = executor;
    }

    /**
     * Joins the registry's transactions. Relays are not notified of commits: their next poll finds the messages, by default after
     * at most 500 ms.
     *
     * @param registry in Jakarta EE {@code java:comp/TransactionSynchronizationRegistry}; in Quarkus an injected bean
     * @param enlisted its connections take part in the thread's transaction
     */
    public static JakartaTransaction of(TransactionSynchronizationRegistry registry, DataSource enlisted) {
        return new JakartaTransaction(registry, enlisted, null);
    }

    /**
     * A copy that notifies relays after each commit. A thread of the executor then takes a connection for a moment; the
     * transaction has returned its own.
     *
     * @param executor its threads have no transaction; if it rejects a task, relays find the messages by polling
     */
    public JakartaTransaction wakingOn(Executor executor) {
        return new JakartaTransaction(registry, enlisted, executor);
    }

    @Override
    public <T> T join(Work<T> work) throws SQLException {
        requireActive(registry.getTransactionStatus());
        requireEnlisted();
        try (Connection connection = enlisted.getConnection()) {
            return work.run(connection);
        }
    }

    private static void requireActive(int status) {
        if (status == Status.STATUS_NO_TRANSACTION) {
            throw new NoTransactionException(
                    "append needs the transaction of the business rows, and this thread has none;"
                            + " call it in a method with @Transactional, or pass the transaction's connection");
        }
        if (status != Status.STATUS_ACTIVE) {
            throw new IllegalStateException("The thread's transaction is to be rolled back, or has ended (status "
                    + status + " of jakarta.transaction.Status); nothing can be appended in it");
        }
    }

    // Two connections of an enlisted data source share one transaction; those of a foreign one do not. One check is
    // enough, because a data source stays enlisted or foreign.
    private void requireEnlisted() throws SQLException {
        if (!proven) {
            if (!id().equals(id())) {
                throw new IllegalStateException(
                        "The data source is not part of the thread's transaction: its connections"
                                + " are transactions of their own. Give the outbox the one that the transaction manager knows");
            }
            proven = true;
        }
    }

    private String id() throws SQLException {
        try (Connection connection = enlisted.getConnection();
                PreparedStatement statement = connection.prepareStatement(ID);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    @Override
    public void afterCommit(AfterCommit action) {
        if (executor == null) {
            return;
        }
        After after = (After) registry.getResource(this);
        if (after == null) {
            after = new After(new LinkedHashSet<>(), executor, enlisted);
            registry.putResource(this, after);
            registry.registerInterposedSynchronization(after);
        }
        after.actions.add(action);
    }

    /** Runs the actions of one transaction after its commit, in one task with one connection. */
    private record After(Set<AfterCommit> actions, Executor executor, DataSource source) implements Synchronization {
        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
                try {
                    executor.execute(this::run);
                } catch (RejectedExecutionException e) {
                    LOG.debug("Relays were not notified of a commit; they find its messages by polling", e);
                }
            }
        }

        private void run() {
            try (Connection connection = source.getConnection()) {
                actions.forEach(action -> action.run(connection));
            } catch (SQLException | RuntimeException e) {
                LOG.debug("Relays were not notified of a commit; they find its messages by polling", e);
            }
        }
    }
}
