package dev.waybill.spring.autoconfigure;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Looks at the properties as they were written, before any is bound: binding drops what it does not know. */
final class PropertyChecks implements BeanFactoryPostProcessor {
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Environment environment = beans.getBean(Environment.class);
        PropertyGroups.refuseValues(environment);
        if (environment instanceof ConfigurableEnvironment sources) {
            WrittenKeys.check(sources);
        }
        UnknownProperties.refuse(environment);
    }
}
