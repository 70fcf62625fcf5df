package shop;

import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.sql.SQLException;
import java.util.concurrent.Callable;

/** Transactions as a framework gives them to its services: the manager, the enlisted pool, and {@code @Transactional}. */
final class Transactions {
    static final TransactionManager MANAGER = com.arjuna.ats.jta.TransactionManager.transactionManager();
    static final UserTransaction USER = com.arjuna.ats.jta.UserTransaction.userTransaction();
    static final TransactionSynchronizationRegistry REGISTRY = new TransactionSynchronizationRegistryImple();

    private Transactions() {}

    static AgroalDataSource pool(String jdbcUrl, String user) throws SQLException {
        return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(connections -> connections
                        .maxSize(20)
                        .transactionIntegration(new NarayanaTransactionIntegration(MANAGER, REGISTRY))
                        .connectionFactoryConfiguration(factory -> factory.jdbcUrl(jdbcUrl)
                                .principal(new NamePrincipal(user)))));
    }

    /** {@code @Transactional}. */
    static <T> T required(Callable<T> work) throws Exception {
        if (MANAGER.getStatus() == Status.STATUS_NO_TRANSACTION) {
            return alone(work);
        }
        try {
            return work.call();
        } catch (Exception e) {
            MANAGER.setRollbackOnly();
            throw e;
        }
    }

    /** {@code @Transactional(REQUIRES_NEW)}. */
    static <T> T requiresNew(Callable<T> work) throws Exception {
        Transaction suspended = MANAGER.suspend();
        try {
            return alone(work);
        } finally {
            if (suspended != null) {
                MANAGER.resume(suspended);
            }
        }
    }

    private static <T> T alone(Callable<T> work) throws Exception {
        MANAGER.begin();
        try {
            T result = work.call();
            MANAGER.commit();
            return result;
        } catch (Exception e) {
            if (MANAGER.getStatus() != Status.STATUS_NO_TRANSACTION) {
                MANAGER.rollback();
            }
            throw e;
        }
    }
}
