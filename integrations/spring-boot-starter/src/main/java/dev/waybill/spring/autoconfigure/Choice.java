package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.SpringTransactions;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;

/** Which of the service's beans are meant, where there may be several. It is never guessed. */
final class Choice {
    private static final String ENTITY_MANAGER_FACTORY = "jakarta.persistence.EntityManagerFactory";

    private final ListableBeanFactory beans;
    private final WaybillProperties properties;

    Choice(ListableBeanFactory beans, WaybillProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    /**
     * The data source with the tables. A proxy before it that takes part in transactions is left out: relay and
     * consumers write records of their own beside a handler's transaction, too.
     *
     * @throws IllegalStateException if there are several, and none is named or primary
     */
    DataSource dataSource() {
        DataSource chosen = chosen();
        while (chosen instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            chosen = proxy.getTargetDataSource();
        }
        return chosen;
    }

    private DataSource chosen() {
        if (properties.dataSource() != null) {
            return beans.getBean(properties.dataSource(), DataSource.class);
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new IllegalStateException("There are several data sources, "
                    + new TreeSet<>(List.of(beans.getBeanNamesForType(DataSource.class)))
                    + "; name the one with Waybill's tables in waybill.data-source");
        }
        return only;
    }

    /**
     * The bean of a type that a service need not have.
     *
     * @throws IllegalStateException if there are several, and none is primary
     */
    <T> Optional<T> only(Class<T> type) {
        return only(beans, type);
    }

    static <T> Optional<T> only(ListableBeanFactory beans, Class<T> type) {
        T found = beans.getBeanProvider(type).getIfUnique();
        if (found == null) {
            List<String> names = List.of(beans.getBeanNamesForType(type));
            if (!names.isEmpty()) {
                throw new IllegalStateException("There are several beans of type " + type.getSimpleName() + ", "
                        + new TreeSet<>(names) + "; make the one for Waybill @Primary");
            }
        }
        return Optional.ofNullable(found);
    }

    /** All managers that may have begun a transaction of a data source: those that say so, and the one that is named. */
    Map<String, PlatformTransactionManager> managers(DataSource dataSource) {
        var fitting = new LinkedHashMap<String, PlatformTransactionManager>();
        beans.getBeansOfType(PlatformTransactionManager.class).forEach((name, manager) -> {
            if (name.equals(properties.transactionManager()) || SpringTransactions.isManagedBy(dataSource, manager)) {
                fitting.put(name, manager);
            }
        });
        return fitting;
    }

    /** @throws IllegalStateException if there is none, or several of which none is named or primary */
    PlatformTransactionManager manager(DataSource dataSource) {
        if (properties.transactionManager() != null) {
            return beans.getBean(properties.transactionManager(), PlatformTransactionManager.class);
        }
        Map<String, PlatformTransactionManager> fitting = managers(dataSource);
        if (fitting.isEmpty()) {
            throw new IllegalStateException(
                    "There is no transaction manager for the data source with Waybill's tables; add"
                            + " one, or set waybill.consumers.<name>.transactions=own");
        }
        if (fitting.size() == 1) {
            return fitting.values().iterator().next();
        }
        @Nullable PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (primary == null || !fitting.containsValue(primary)) {
            throw new IllegalStateException("There are several transaction managers, " + new TreeSet<>(fitting.keySet())
                    + "; name the one of the services that handlers call in waybill.transaction-manager");
        }
        return primary;
    }

    /** All factories of entity managers; none where there is no JPA. */
    Collection<?> entityManagerFactories() {
        ClassLoader loader = Choice.class.getClassLoader();
        return ClassUtils.isPresent(ENTITY_MANAGER_FACTORY, loader)
                ? beans.getBeansOfType(ClassUtils.resolveClassName(ENTITY_MANAGER_FACTORY, loader))
                        .values()
                : List.of();
    }
}
