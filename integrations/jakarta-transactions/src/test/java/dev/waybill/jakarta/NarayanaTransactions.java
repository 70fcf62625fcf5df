package dev.waybill.jakarta;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import dev.waybill.inbox.ForeignTransactions;
import dev.waybill.inbox.TransactionBoundary;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Narayana's transactions with Agroal's connections, as in Quarkus; services as {@code @Transactional} makes them. */
public final class NarayanaTransactions implements ForeignTransactions {
    static {
        for (String store : new String[] {"default", "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreType(VolatileStore.class.getName());
        }
    }

    /** Of the process, with a store that leaves no files. */
    static final TransactionManager MANAGER = com.arjuna.ats.jta.TransactionManager.transactionManager();

    static final UserTransaction USER = com.arjuna.ats.jta.UserTransaction.userTransaction();

    final TransactionManager manager = MANAGER;
    final UserTransaction user = USER;
    final TransactionSynchronizationRegistry registry = new TransactionSynchronizationRegistryImple();
    final AgroalDataSource enlisted;

    NarayanaTransactions(DataSource pool) {
        String name = UUID.randomUUID().toString();
        DelegatingDataSource.register(name, pool);
        try {
            enlisted = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(connections -> connections
                            .maxSize(20)
                            .acquisitionTimeout(Duration.ofSeconds(10))
                            // A connection that it kept would be missing in the test's pool.
                            .flushOnClose(true)
                            .transactionIntegration(new NarayanaTransactionIntegration(manager, registry))
                            .connectionFactoryConfiguration(
                                    factory -> factory.connectionProviderClass(DelegatingDataSource.class)
                                            .jdbcProperty("description", name))));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Found by the inbox's tests. */
    public static final class Provider implements ForeignTransactions.Provider {
        @Override
        public ForeignTransactions on(DataSource pool) {
            return new NarayanaTransactions(pool);
        }
    }

    @Override
    public TransactionBoundary boundary() {
        return new JakartaTransactionBoundary(user, enlisted);
    }

    @Override
    public DSLContext repository() {
        return DSL.using(enlisted, SQLDialect.POSTGRES);
    }

    @Override
    public <T> T service(Callable<T> method) throws Exception {
        if (manager.getStatus() == Status.STATUS_NO_TRANSACTION) {
            return alone(method);
        }
        try {
            return method.call();
        } catch (Exception e) {
            manager.setRollbackOnly();
            throw e;
        }
    }

    /** A method of a service in a transaction of its own, for which the thread's is suspended. */
    <T> T requiresNew(Callable<T> method) throws Exception {
        Transaction suspended = manager.suspend();
        try {
            return alone(method);
        } finally {
            if (suspended != null) {
                manager.resume(suspended);
            }
        }
    }

    private <T> T alone(Callable<T> method) throws Exception {
        manager.begin();
        boolean done = false;
        try {
            T result = method.call();
            done = true;
            return result;
        } finally {
            if (done) {
                manager.commit();
            } else {
                manager.rollback();
            }
        }
    }
}
