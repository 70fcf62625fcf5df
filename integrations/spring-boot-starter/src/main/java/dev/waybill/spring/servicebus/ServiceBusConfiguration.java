package dev.waybill.spring.servicebus;

import dev.waybill.servicebus.ConnectionStrings;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The way to Service Bus, for relay and consumers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServiceBusProperties.class)
public final class ServiceBusConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ServiceBusConnections waybillServiceBusConnections(
            ServiceBusProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ServiceBusConnectionDetails> given) {
        @Nullable ServiceBusConnectionDetails details = given.getIfAvailable();
        if (details == null) {
            details = AzureConnectionDetails.in(beans);
        }
        return details == null
                ? new PropertyConnections(properties, environment, new Credentials(beans, environment))
                : connections(details);
    }

    private static ServiceBusConnections connections(ServiceBusConnectionDetails details) {
        return () -> ConnectionStrings.builders(details.connectionString()).get();
    }
}
