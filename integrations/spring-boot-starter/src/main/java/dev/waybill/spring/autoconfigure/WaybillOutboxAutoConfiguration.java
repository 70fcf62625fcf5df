package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.CurrentTransaction;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.outbox.TraceContext;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.OutboxCustomizer;
import dev.waybill.spring.SpringCurrentTransaction;
import dev.waybill.spring.bodies.OutboxEvents;
import dev.waybill.spring.bodies.ServiceMapper;
import dev.waybill.spring.figures.Figures;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

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
        SingletonSupplier<BodyConverter> bodies = SingletonSupplier.of(
                () -> Choice.only(beans, BodyConverter.class).orElseThrow());
        Outbox.Builder settings = Outbox.builder()
                .schema(properties.schemaName())
                .relay(waybillRelayOfThisProcess)
                .cloudEvents(properties.cloudEvents())
                .bodies(object -> bodies.obtain().write(object));
        properties.destinations().forEach((name, given) -> settings.destination(given.toDestination(name)));
        var choice = new Choice(beans, properties);
        @Nullable CurrentTransaction transactions = transactions(choice, waybillDatabase);
        if (transactions != null) {
            settings.transactions(transactions);
        }
        @Nullable String source =
                properties.source() != null ? properties.source() : environment.getProperty("spring.application.name");
        if (source != null) {
            settings.source(source);
        }
        choice.only(PayloadCodec.class).ifPresent(settings::codec);
        choice.only(ClaimStore.class).ifPresent(settings::claims);
        choice.only(TraceContext.class).ifPresent(settings::traceContext);
        beans.getBeanProvider(OutboxCustomizer.class).orderedStream().forEach(each -> each.customize(settings));
        return settings.build();
    }

    private static @Nullable CurrentTransaction transactions(Choice choice, Database database) {
        DataSource dataSource = database.dataSource();
        List<PlatformTransactionManager> managers =
                List.copyOf(choice.managers(dataSource).values());
        return managers.isEmpty() ? null : new OneDatabase(SpringCurrentTransaction.of(dataSource, managers), database);
    }

    @Bean
    Figures waybillFigures(WaybillProperties properties, Database waybillDatabase) {
        return new Figures(waybillDatabase.dataSource(), properties.schemaName());
    }

    @Bean
    TablesLifecycle waybillTables(WaybillProperties properties, Database waybillDatabase) {
        return new TablesLifecycle(properties, waybillDatabase);
    }
}
