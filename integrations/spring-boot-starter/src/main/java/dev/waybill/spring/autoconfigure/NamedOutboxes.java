package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.figures.Figures;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The outboxes of {@code waybill.outboxes}, each with a database, a relay and consumers of its own. Its beans are found by its name as
 * qualifier alone, so that those without a name stay the only ones of their types.
 */
final class NamedOutboxes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

    private final ConfigurableListableBeanFactory beans;
    private final WaybillProperties all;
    private final Environment environment;
    private final Map<String, Parts> parts = new TreeMap<>();

    private record Parts(WaybillProperties properties, Database database, RelayOfThisProcess relay, Figures figures) {}

    NamedOutboxes(ConfigurableListableBeanFactory beans, WaybillProperties all, Environment environment) {
        this.beans = beans;
        this.all = all;
        this.environment = environment;
        all.outboxes().keySet().forEach(this::add);
    }

    private void add(String name) {
        Requirement.that(
                NAME.matcher(name).matches(), "waybill.outboxes." + name + ": a name has letters, digits and dashes");
        WaybillProperties properties = all.outbox(name);
        Database database = Database.of(beans, properties);
        parts.forEach((other, known) -> Requirement.that(
                known.database().dataSource() != database.dataSource()
                        || !known.properties().schema().equals(properties.schema()),
                "waybill.outboxes." + name + " and waybill.outboxes." + other
                        + " have the same tables; give each another data-source or schema"));
        parts.put(
                name,
                new Parts(
                        properties,
                        database,
                        new RelayOfThisProcess(),
                        new Figures(database.dataSource(), properties.schemaName())));
    }

    Outbox outbox(String name) {
        Parts of = of(name);
        return OutboxBeans.make(beans, of.properties(), of.database(), of.relay(), environment);
    }

    TablesLifecycle tables(String name) {
        return new TablesLifecycle(of(name).properties(), of(name).database());
    }

    RelayLifecycle relay(String name) {
        Parts of = of(name);
        return new RelayLifecycle(
                "relay of " + name,
                of.properties(),
                of.database(),
                beans.getBeanProvider(ServiceBusConnections.class),
                of.relay(),
                beans);
    }

    ConsumersLifecycle consumers(String name) {
        return new ConsumersLifecycle(" of " + name, beans, all, of(name).properties(), of(name).database());
    }

    Map<String, Figures> figures() {
        var figures = new TreeMap<String, Figures>();
        parts.forEach((name, of) -> {
            if (of.database().tenants() == null) {
                figures.put(name, of.figures());
            }
        });
        return figures;
    }

    private Parts of(String name) {
        return Objects.requireNonNull(parts.get(name), name);
    }

    static Set<String> names(Environment environment) {
        return Binder.get(environment)
                .bind("waybill.outboxes", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .keySet();
    }

    /** Defines outbox and tables before they are made, also in a context that is processed ahead of time. */
    static final class Outboxes extends Registrar {
        @Override
        void define(String name) {
            define(name, Outbox.class, "outbox", "Outbox");
            define(name, TablesLifecycle.class, "tables", "Tables");
        }
    }

    /** Defines relay and consumers, which tests of one layer do without. */
    static final class Work extends Registrar {
        @Override
        void define(String name) {
            define(name, RelayLifecycle.class, "relay", "Relay");
            define(name, ConsumersLifecycle.class, "consumers", "Consumers");
        }
    }

    private abstract static class Registrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {
        private @Nullable Environment environment;
        private @Nullable BeanDefinitionRegistry registry;

        @Override
        public void setEnvironment(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            this.registry = registry;
            names(Objects.requireNonNull(environment)).forEach(this::define);
        }

        abstract void define(String name);

        void define(String name, Class<?> type, String method, String part) {
            var definition = new RootBeanDefinition(type);
            definition.setFactoryBeanName("waybillNamedOutboxes");
            definition.setFactoryMethodName(method);
            definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            definition.setDefaultCandidate(false);
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            Objects.requireNonNull(registry).registerBeanDefinition(name + "Waybill" + part, definition);
        }
    }
}
