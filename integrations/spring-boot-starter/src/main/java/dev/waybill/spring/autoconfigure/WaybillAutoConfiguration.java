package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.outbox.TraceContext;
import dev.waybill.spring.OutboxCustomizer;
import dev.waybill.spring.RelayCustomizer;
import dev.waybill.spring.SpringCurrentTransaction;
import dev.waybill.spring.servicebus.ServiceBusConfiguration;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/** Outbox, relay and consumers of a service with a data source. The names are Boot 3's and Boot 4's. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
        })
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "waybill.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaybillProperties.class)
@Import({ServiceBusConfiguration.class, JsonConfiguration.class, InstrumentsConfiguration.class})
public final class WaybillAutoConfiguration {
    @Bean
    static UnusedJooq waybillUnusedJooq() {
        return new UnusedJooq();
    }

    @Bean
    Database waybillDatabase(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Environment environment) {
        UnknownProperties.refuse(environment);
        DataSource dataSource = new Choice(beans, properties).dataSource();
        return new Database(
                dataSource,
                Tables.preparation(
                        properties.migrations(),
                        dataSource,
                        properties.schemaName(),
                        Tables.features(beans, properties)));
    }

    @Bean
    RelayOfThisProcess waybillRelayOfThisProcess() {
        return new RelayOfThisProcess();
    }

    /** The outbox, whose appends join Spring's transactions. */
    @Bean
    @ConditionalOnMissingBean
    Outbox waybillOutbox(
            ConfigurableListableBeanFactory beans,
            WaybillProperties properties,
            Database waybillDatabase,
            RelayOfThisProcess waybillRelayOfThisProcess,
            Environment environment) {
        Outbox.Builder settings =
                Outbox.builder().schema(properties.schemaName()).relay(waybillRelayOfThisProcess);
        properties.destinations().forEach((name, given) -> settings.destination(given.toDestination(name)));
        DataSource dataSource = waybillDatabase.dataSource();
        List<PlatformTransactionManager> managers =
                List.copyOf(new Choice(beans, properties).managers(dataSource).values());
        if (!managers.isEmpty()) {
            settings.transactions(SpringCurrentTransaction.of(dataSource, managers));
        }
        @Nullable String source =
                properties.source() != null ? properties.source() : environment.getProperty("spring.application.name");
        if (source != null) {
            settings.source(source);
        }
        beans.getBeanProvider(PayloadCodec.class).ifUnique(settings::codec);
        beans.getBeanProvider(ClaimStore.class).ifUnique(settings::claims);
        beans.getBeanProvider(TraceContext.class).ifUnique(settings::traceContext);
        beans.getBeanProvider(OutboxCustomizer.class).orderedStream().forEach(each -> each.customize(settings));
        return settings.build();
    }

    @Bean
    @Conditional(PropertyConditions.MigrationsWanted.class)
    TablesLifecycle waybillTables(Database waybillDatabase) {
        return new TablesLifecycle(waybillDatabase);
    }

    @Bean
    @Conditional(PropertyConditions.RelayWanted.class)
    RelayLifecycle waybillRelay(
            WaybillProperties properties,
            Database waybillDatabase,
            ServiceBusConnections connections,
            RelayOfThisProcess waybillRelayOfThisProcess,
            ObjectProvider<Instruments> instruments,
            ObjectProvider<RelayCustomizer> customizers) {
        return new RelayLifecycle(
                properties,
                waybillDatabase,
                connections,
                waybillRelayOfThisProcess,
                instruments.orderedStream().toList(),
                customizers.orderedStream().toList());
    }

    @Bean
    @Conditional(PropertyConditions.RelayWithoutDestinations.class)
    NoRelay waybillNoRelay(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Environment environment) {
        return new NoRelay(beans, properties, environment);
    }

    @Bean
    ConsumersLifecycle waybillConsumers(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Database waybillDatabase) {
        return new ConsumersLifecycle(beans, properties, waybillDatabase);
    }
}
