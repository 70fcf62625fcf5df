package dev.waybill.spring;

import dev.waybill.outbox.CurrentTransaction;
import dev.waybill.outbox.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transaction of the calling thread, for {@code Outbox.builder().transactions(...)}: what an annotated
 * method or a {@code TransactionTemplate} has begun. Immutable and thread-safe.
 */
public final class SpringCurrentTransaction implements CurrentTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(SpringCurrentTransaction.class);

    private final DataSource dataSource;
    private final List<PlatformTransactionManager> managers;
    private final CommittedTransactions committed = new CommittedTransactions();

    private SpringCurrentTransaction(DataSource dataSource, List<PlatformTransactionManager> managers) {
        this.dataSource = ManagedDataSource.target(dataSource);
        this.managers = managers;
    }

    private SpringCurrentTransaction listening() {
        for (PlatformTransactionManager manager : managers) {
            if (manager instanceof ConfigurableTransactionManager configurable) {
                configurable.addListener(committed);
            }
        }
        return this;
    }

    /**
     * Transactions of these managers, any of which may have begun the thread's. Adds a listener to them.
     *
     * @param dataSource where the outbox is
     * @param managers those that manage transactions of it; usually one
     * @throws IllegalArgumentException if there is no manager, or if one is known to manage another data source
     */
    public static SpringCurrentTransaction of(DataSource dataSource, List<PlatformTransactionManager> managers) {
        if (managers.isEmpty()) {
            throw new IllegalArgumentException("No transaction manager is given for the outbox");
        }
        managers.forEach(manager -> ManagedDataSource.require(manager, dataSource));
        return new SpringCurrentTransaction(dataSource, List.copyOf(managers)).listening();
    }

    @Override
    public <T> T join(Work<T> work) throws SQLException {
        requireTransaction();
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private void requireTransaction() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new NoTransactionException("append needs Spring's transaction, and this thread has none. Call it in a"
                    + " method with @Transactional, or in a TransactionTemplate; a call of a bean's method by the bean"
                    + " itself does not go through its proxy");
        }
        if (committed.isOver()) {
            throw new NoTransactionException(
                    "append needs an open transaction, and the thread's has been committed or rolled"
                            + " back: nobody commits what is appended in afterCommit or afterCompletion, or in a listener"
                            + " of such a phase. Append before the commit, or in a transaction of its own (REQUIRES_NEW)");
        }
        if (managers.stream().noneMatch(this::isCurrent)) {
            throw new IllegalStateException("The thread's transaction '" + name() + "' belongs to another transaction"
                    + " manager, or to another data source, than the outbox; name the manager:"
                    + " @Transactional(transactionManager = ...)");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("The thread's transaction '" + name() + "' is read-only, so that nothing"
                    + " can be appended in it; @Transactional(readOnly = true) may stand at the class");
        }
    }

    // The manager alone knows: a connection may be bound to the thread without any transaction. To take part
    // begins nothing, so that nothing has to be ended.
    private boolean isCurrent(PlatformTransactionManager manager) {
        try {
            manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
            return ManagedDataSource.isReachedBy(manager, dataSource);
        } catch (IllegalTransactionStateException e) {
            return false;
        }
    }

    private static String name() {
        return String.valueOf(TransactionSynchronizationManager.getCurrentTransactionName());
    }

    @Override
    public void afterCommit(AfterCommit action) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        var once = new Once(action, dataSource);
        if (!TransactionSynchronizationManager.getSynchronizations().contains(once)) {
            TransactionSynchronizationManager.registerSynchronization(once);
        }
    }

    /** Runs an action on the connection that has committed and is still bound to the thread. */
    private record Once(AfterCommit action, DataSource dataSource) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            // Another connection is not waited for: those who hold the pool's may wait here, too.
            if (!TransactionSynchronizationManager.hasResource(dataSource)) {
                return;
            }
            try {
                Connection connection = DataSourceUtils.getConnection(dataSource);
                try {
                    action.run(connection);
                } finally {
                    DataSourceUtils.releaseConnection(connection, dataSource);
                }
            } catch (DataAccessException | IllegalStateException e) {
                // It would reach the caller of a transaction that has committed.
                LOG.debug("Relays were not told of a commit; they find the rows by polling", e);
            }
        }
    }
}
