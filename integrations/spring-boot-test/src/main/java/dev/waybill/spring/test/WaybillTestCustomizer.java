package dev.waybill.spring.test;

import dev.waybill.outbox.Outbox;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.spring.ConfiguredConsumers;
import dev.waybill.spring.autoconfigure.WaybillProperties;
import dev.waybill.test.TestWaybill;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives a context its database and broker. Contexts with the same settings are one to Spring, which keeps them for
 * other classes.
 */
record WaybillTestCustomizer(boolean background) implements ContextCustomizer {
    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        WaybillProperties properties =
                Binder.get(context.getEnvironment()).bindOrCreate("waybill", WaybillProperties.class);
        requireOneDatabase(properties);
        var places = TestPlaces.start(properties);
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "waybill-test",
                        Map.of(
                                "spring.datasource.url", places.jdbcUrl(),
                                // The service's own clients, made by Spring Cloud Azure, are led there too.
                                "spring.cloud.azure.servicebus.connection-string",
                                        places.bus().connectionString(),
                                "waybill.auto-startup", String.valueOf(background))));
        register(context.getBeanFactory(), places);
    }

    // The data sources of others lead where the service's configuration says: in a test, to nowhere or to a database in
    // use.
    private static void requireOneDatabase(WaybillProperties properties) {
        String others = !properties.outboxes().isEmpty()
                ? "waybill.outboxes has " + new TreeSet<>(properties.outboxes().keySet())
                : "waybill.tenants has " + properties.tenants();
        if (!properties.outboxes().isEmpty() || !properties.tenants().isEmpty()) {
            throw new IllegalStateException(
                    "@WaybillTest gives a service one database, in the place of spring.datasource, and "
                            + others
                            + ": their data sources would be used as they are. Test this service by @SpringBootTest,"
                            + " with PostgresServer and EmbeddedServiceBus of your own, as examples/two-databases does");
        }
    }

    private static void register(ConfigurableListableBeanFactory beans, TestPlaces places) {
        var registry = (BeanDefinitionRegistry) beans;
        // As definitions, so that they are closed with the context.
        define(registry, "waybillTestPlaces", new RootBeanDefinition(TestPlaces.class, () -> places));
        define(registry, "waybillTestBus", new RootBeanDefinition(EmbeddedServiceBus.class, places::bus));
        define(
                registry,
                "testWaybill",
                new RootBeanDefinition(TestWaybill.class, () -> places.waybill(beans.getBean(Outbox.class))));
        define(
                registry,
                "serviceConsumers",
                new RootBeanDefinition(
                        ServiceConsumers.class,
                        () -> new ServiceConsumers(
                                beans.getBean(ConfiguredConsumers.class),
                                beans.getBean(WaybillProperties.class),
                                beans.getBean(TestWaybill.class))));
    }

    private static void define(BeanDefinitionRegistry registry, String name, RootBeanDefinition definition) {
        registry.registerBeanDefinition(name, definition);
    }
}
