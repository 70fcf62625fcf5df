package dev.waybill.spring.autoconfigure;

import dev.waybill.spring.figures.FigureMeters;
import dev.waybill.spring.figures.Figures;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, info and an endpoint, where the service has Boot's actuator. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnBean(Database.class)
public final class WaybillActuatorAutoConfiguration {
    private static final String BOOT_3 = "org.springframework.boot.actuate.health.HealthIndicator";
    private static final String BOOT_4 = "org.springframework.boot.health.contributor.HealthIndicator";

    @Bean
    WaybillHealth waybillHealth(ListableBeanFactory beans) {
        return new WaybillHealth(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = BOOT_3)
    @ConditionalOnProperty(name = "management.health.waybill.enabled", matchIfMissing = true)
    static class Boot3 {
        @Bean
        Boot3Health waybillHealthIndicator(WaybillHealth health) {
            return new Boot3Health(health);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = BOOT_4)
    @ConditionalOnMissingClass(BOOT_3)
    @ConditionalOnProperty(name = "management.health.waybill.enabled", matchIfMissing = true)
    static class Boot4 {
        @Bean
        Boot4Health waybillHealthIndicator(WaybillHealth health) {
            return new Boot4Health(health);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class Gauges {
        @Bean
        SmartInitializingSingleton waybillGauges(
                ObjectProvider<MeterRegistry> registry,
                WaybillProperties properties,
                Figures figures,
                NamedOutboxes named) {
            return () -> registry.ifUnique(found -> {
                Tags own = properties.outboxes().isEmpty() ? Tags.empty() : Tags.of("outbox", "");
                if (properties.tenants().isEmpty()) {
                    register(found, figures, properties, own);
                }
                named.figures()
                        .forEach((name, read) ->
                                register(found, read, properties.outbox(name), Tags.of("outbox", name)));
            });
        }

        private static void register(MeterRegistry registry, Figures figures, WaybillProperties properties, Tags tags) {
            new FigureMeters(registry, figures, tags)
                    .register(
                            properties.destinations().keySet(),
                            properties.consumers().keySet(),
                            properties.consumers().values().stream()
                                    .map(ConsumerProperties::destination)
                                    .collect(Collectors.toSet()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
    static class Endpoints {
        @Bean
        @ConditionalOnAvailableEndpoint
        WaybillEndpoint waybillEndpoint(
                WaybillHealth health, Figures figures, NamedOutboxes named, WaybillProperties properties) {
            return new WaybillEndpoint(health, properties.tenants().isEmpty() ? figures : null, named);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.info.InfoContributor")
    static class Info {
        @Bean
        InfoContributor waybillInfo(WaybillProperties properties, WaybillHealth health) {
            return info -> info.withDetail(
                    "waybill",
                    Map.of(
                            "schema", properties.schema(),
                            "destinations", new TreeMap<>(properties.destinations()).keySet(),
                            "states", health.states()));
        }
    }
}
