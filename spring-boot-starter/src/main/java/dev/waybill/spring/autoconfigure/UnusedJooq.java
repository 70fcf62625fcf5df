package dev.waybill.spring.autoconfigure;

import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Takes Boot 3's beans for jOOQ away where they could not be made. Boot makes them as soon as jOOQ's classes are
 * there, which Waybill brings, and asks for the only data source and the only transaction manager: a service that
 * has two of them, and does not use jOOQ, would no longer start. Where they can be made, they stay.
 */
final class UnusedJooq implements BeanDefinitionRegistryPostProcessor {
    private static final String BOOTS = "org.springframework.boot.autoconfigure.jooq.JooqAutoConfiguration";
    private static final String TRANSACTIONS = "transactionProvider";

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        // There may be more definitions to come.
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (!(beans instanceof BeanDefinitionRegistry registry)) {
            return;
        }
        List<String> boots = Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> isBoots(beans.getBeanDefinition(name)))
                .toList();
        if (!isUnique(beans, DataSource.class)) {
            boots.forEach(registry::removeBeanDefinition);
        } else if (boots.contains(TRANSACTIONS) && !isUnique(beans, PlatformTransactionManager.class)) {
            registry.removeBeanDefinition(TRANSACTIONS);
        }
    }

    private static boolean isBoots(BeanDefinition definition) {
        @Nullable String factory = definition.getFactoryBeanName();
        return factory != null && factory.startsWith(BOOTS);
    }

    // As Spring chooses for a parameter that is named like none of them.
    private static boolean isUnique(ConfigurableListableBeanFactory beans, Class<?> wanted) {
        List<String> candidates = Arrays.stream(beans.getBeanNamesForType(wanted, true, false))
                .filter(name -> !beans.containsBeanDefinition(name)
                        || beans.getBeanDefinition(name).isAutowireCandidate())
                .toList();
        long primary = candidates.stream()
                .filter(name -> beans.containsBeanDefinition(name)
                        && beans.getBeanDefinition(name).isPrimary())
                .count();
        return candidates.size() == 1 || primary == 1;
    }
}
