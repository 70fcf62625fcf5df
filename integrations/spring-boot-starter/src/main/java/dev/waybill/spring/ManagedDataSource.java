package dev.waybill.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Which data source a transaction manager binds to the thread. */
final class ManagedDataSource {
    private static final boolean JPA = ClassUtils.isPresent(
                    "org.springframework.orm.jpa.JpaTransactionManager", ManagedDataSource.class.getClassLoader())
            && ClassUtils.isPresent(
                    "jakarta.persistence.EntityManagerFactory", ManagedDataSource.class.getClassLoader());

    private ManagedDataSource() {}

    /** The data source that managers bind: a proxy that takes part in transactions stands before another. */
    static DataSource target(DataSource dataSource) {
        DataSource target = dataSource;
        while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }

    /** The data source of a manager; null if it has none, or does not say. */
    static @Nullable DataSource of(PlatformTransactionManager manager) {
        @Nullable DataSource known = null;
        if (manager instanceof ResourceTransactionManager local) {
            Object factory = local.getResourceFactory();
            known = factory instanceof DataSource dataSource ? dataSource : JPA ? JpaAccess.dataSource(manager) : null;
        }
        return known == null ? null : target(known);
    }

    /** @throws IllegalArgumentException if the manager is known to manage another data source */
    static void require(PlatformTransactionManager manager, DataSource dataSource) {
        DataSource known = of(manager);
        if (known != null && known != target(dataSource)) {
            throw new IllegalArgumentException(manager.getClass().getSimpleName() + " manages transactions of " + known
                    + ", and Waybill's tables are in " + target(dataSource)
                    + "; what is done in the one is not in a transaction of the other");
        }
    }

    /** Whether the thread's transaction, which is the manager's, is one of the data source's. */
    static boolean isReachedBy(PlatformTransactionManager manager, DataSource dataSource) {
        boolean local = manager instanceof ResourceTransactionManager;
        return !local || TransactionSynchronizationManager.hasResource(target(dataSource));
    }

    static boolean hasJpa() {
        return JPA;
    }
}
