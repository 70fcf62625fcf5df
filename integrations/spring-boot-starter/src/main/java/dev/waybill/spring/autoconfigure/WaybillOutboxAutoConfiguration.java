package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.bodies.OutboxEvents;
import dev.waybill.spring.bodies.ServiceMapper;
import dev.waybill.spring.figures.Figures;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * The outbox of a service with a data source, and its tables. Needs no broker: tests of one layer get it, too, without relay and
 * consumers. The names are Boot 3's and Boot 4's.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
        })
@ConditionalOnBean(DataSource.class)
@ConditionalOnProperty(name = "waybill.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaybillProperties.class)
@Import(NamedOutboxes.Outboxes.class)
public final class WaybillOutboxAutoConfiguration {
    @Bean
    static PropertyChecks waybillPropertyChecks() {
        return new PropertyChecks();
    }

    @Bean
    static UnusedJooq waybillUnusedJooq() {
        return new UnusedJooq();
    }

    @Bean
    Database waybillDatabase(ConfigurableListableBeanFactory beans, WaybillProperties properties) {
        return Database.of(beans, properties);
    }

    @Bean
    RelayOfThisProcess waybillRelayOfThisProcess() {
        return new RelayOfThisProcess();
    }

    /** Looked for when a handler takes an object, or one is appended: a service without either may have several mappers, or none. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    BodyConverter waybillBodies(ListableBeanFactory beans, WaybillProperties properties) {
        return ServiceMapper.in(beans, properties.objectMapper());
    }

    @Bean
    OutboxEvents waybillOutboxEvents(ConfigurableListableBeanFactory beans, ObjectProvider<Outbox> outbox) {
        return new OutboxEvents(beans, outbox);
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
        return OutboxBeans.make(beans, properties, waybillDatabase, waybillRelayOfThisProcess, environment);
    }

    @Bean
    Figures waybillFigures(WaybillProperties properties, Database waybillDatabase) {
        return new Figures(waybillDatabase.dataSource(), properties.schemaName());
    }

    @Bean
    NamedOutboxes waybillNamedOutboxes(
            ConfigurableListableBeanFactory beans, WaybillProperties properties, Environment environment) {
        return new NamedOutboxes(beans, properties, environment);
    }

    @Bean
    TablesLifecycle waybillTables(WaybillProperties properties, Database waybillDatabase) {
        return new TablesLifecycle(properties, waybillDatabase);
    }
}
