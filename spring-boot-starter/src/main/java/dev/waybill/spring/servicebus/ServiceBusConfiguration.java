package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import org.springframework.beans.factory.ObjectProvider;
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
            ServiceBusProperties properties, Environment environment, ObjectProvider<TokenCredential> credentials) {
        return new PropertyConnections(properties, environment, credentials);
    }
}
