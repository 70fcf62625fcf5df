package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.instruments.InstrumentsConfiguration;
import dev.waybill.spring.servicebus.ServiceBusConfiguration;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Relay and consumers of a service with a data source. Whether they run is decided when the context starts, not by conditions: a
 * context that was processed ahead of time keeps the answers of its build.
 */
@AutoConfiguration(after = WaybillOutboxAutoConfiguration.class)
@ConditionalOnBean(Database.class)
@Import({ServiceBusConfiguration.class, InstrumentsConfiguration.class, NamedOutboxes.Work.class})
public final class WaybillAutoConfiguration {
    @Bean
    RelayLifecycle waybillRelay(
            WaybillProperties properties,
            Database waybillDatabase,
            ObjectProvider<ServiceBusConnections> connections,
            RelayOfThisProcess waybillRelayOfThisProcess,
            ListableBeanFactory beans) {
        return new RelayLifecycle("relay", properties, waybillDatabase, connections, waybillRelayOfThisProcess, beans);
    }

    @Bean
    NoRelay waybillNoRelay(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Environment environment) {
        return new NoRelay(beans, properties, environment);
    }

    @Bean
    ConsumersLifecycle waybillConsumers(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Database waybillDatabase) {
        return new ConsumersLifecycle("", beans, properties, properties, waybillDatabase);
    }
}
