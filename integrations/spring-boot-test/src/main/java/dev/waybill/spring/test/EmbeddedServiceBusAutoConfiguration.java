package dev.waybill.spring.test;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.spring.servicebus.ServiceBusConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Leads the service to the embedded broker that is a bean, whatever the properties say. */
@AutoConfiguration(beforeName = "dev.waybill.spring.autoconfigure.WaybillAutoConfiguration")
@ConditionalOnSingleCandidate(EmbeddedServiceBus.class)
public final class EmbeddedServiceBusAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ServiceBusConnectionDetails waybillEmbeddedServiceBusDetails(EmbeddedServiceBus bus) {
        return bus::connectionString;
    }
}
