package dev.waybill.spring.autoconfigure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Has Boot 3's beans for jOOQ made only when somebody asks for them. Boot makes them as soon as jOOQ's classes are
 * there, which Waybill brings, and asks for the only data source and the only transaction manager: a service that
 * has two of them, and does not use jOOQ, would no longer start. One that uses jOOQ finds them as Boot makes them.
 */
final class UnusedJooq implements BeanFactoryPostProcessor {
    private static final String BOOTS = "org.springframework.boot.autoconfigure.jooq.JooqAutoConfiguration";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Arrays.stream(beans.getBeanDefinitionNames())
                .map(beans::getBeanDefinition)
                .filter(UnusedJooq::isBoots)
                .forEach(definition -> definition.setLazyInit(true));
    }

    private static boolean isBoots(BeanDefinition definition) {
        @Nullable String factory = definition.getFactoryBeanName();
        return factory != null && factory.startsWith(BOOTS);
    }
}
