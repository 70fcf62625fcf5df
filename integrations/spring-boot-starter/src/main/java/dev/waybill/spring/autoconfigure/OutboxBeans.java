package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.CurrentTransaction;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.outbox.TraceContext;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.OutboxCustomizer;
import dev.waybill.spring.SpringCurrentTransaction;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/** Makes an outbox of properties and the service's beans. */
final class OutboxBeans {
    private OutboxBeans() {}

    static Outbox make(
            ConfigurableListableBeanFactory beans,
            WaybillProperties properties,
            Database database,
            RelayOfThisProcess relay,
            Environment environment) {
        SingletonSupplier<BodyConverter> bodies = SingletonSupplier.of(
                () -> Choice.only(beans, BodyConverter.class).orElseThrow());
        Outbox.Builder settings = Outbox.builder()
                .schema(properties.schemaName())
                .relay(relay)
                .cloudEvents(Boolean.TRUE.equals(properties.cloudEvents()))
                .bodies(object -> bodies.obtain().write(object));
        properties.destinations().forEach((name, given) -> settings.destination(given.toDestination(name)));
        var choice = new Choice(beans, properties);
        @Nullable CurrentTransaction transactions = transactions(choice, database);
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
}
