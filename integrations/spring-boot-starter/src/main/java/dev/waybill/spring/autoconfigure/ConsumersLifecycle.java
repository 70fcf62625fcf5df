package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.message.BrokerNames;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.ConfiguredConsumers;
import dev.waybill.spring.ConsumerCustomizer;
import dev.waybill.spring.SpringTransactions;
import dev.waybill.spring.instruments.Instruments;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The consumers of this process. Their needs are looked at when all beans are there, and before any of them starts.
 */
final class ConsumersLifecycle extends Services implements SmartInitializingSingleton, ConfiguredConsumers {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumersLifecycle.class);

    private final ConfigurableListableBeanFactory beans;
    private final String of;
    private final WaybillProperties all;
    private final WaybillProperties properties;
    private final Database database;
    private final Map<String, Supplier<InboxConsumer.Builder>> builders = new ConcurrentHashMap<>();
    private volatile List<Service<InboxConsumer>> services = List.of();

    /**
     * @param all of this process, whose consumers handlers may wait for
     * @param properties of the outbox with these consumers
     * @param of behind the consumers' names in health and log
     */
    ConsumersLifecycle(
            String of,
            ConfigurableListableBeanFactory beans,
            WaybillProperties all,
            WaybillProperties properties,
            Database database) {
        super(CONSUMERS, properties.autoStartup());
        this.of = of;
        this.beans = beans;
        this.all = all;
        this.properties = properties;
        this.database = database;
    }

    @Override
    List<Service<InboxConsumer>> all() {
        return services;
    }

    @Override
    public void afterSingletonsInstantiated() {
        HandlerMethods methods = HandlerMethods.in(
                beans, () -> Choice.only(beans, BodyConverter.class).orElseThrow());
        methods.requireAmong(destinations());
        requireOneForEach();
        var made = new ArrayList<Service<InboxConsumer>>();
        properties.consumers().forEach((name, consumer) -> {
            if (consumer.enabled()) {
                made.add(service(name, consumer, handler(name, consumer, methods)));
            }
        });
        if (properties.autoStartup()) {
            PoolSize.of(properties).requireIn(database.dataSource());
        }
        services = List.copyOf(made);
    }

    // Ids are recorded per name: a message that comes twice would be handled by each.
    private void requireOneForEach() {
        var names = new HashMap<String, String>();
        requireOneForEach(names, "", all);
        all.outboxes().forEach((outbox, its) -> requireOneForEach(names, " of " + outbox, its));
    }

    private static void requireOneForEach(Map<String, String> names, String of, WaybillProperties properties) {
        new TreeMap<>(properties.consumers()).forEach((consumers, consumer) -> {
            String name = consumers + of;
            @Nullable String other = consumer.enabled() ? names.putIfAbsent(BrokerNames.key(consumer.destination()), name) : null;
            if (other != null) {
                throw new IllegalStateException("Consumers '" + other + "' and '" + name + "' both receive '"
                        + consumer.destination() + "': they would share its messages, and each would handle a repeat."
                        + " Give one of them more concurrency, or each a subscription of its own");
            }
        });
    }

    private Set<String> destinations() {
        return Stream.concat(Stream.of(all), all.outboxes().values().stream())
                .flatMap(each -> each.consumers().values().stream())
                .map(ConsumerProperties::destination)
                .collect(Collectors.toSet());
    }

    private Handler handler(String name, ConsumerProperties consumer, HandlerMethods methods) {
        @Nullable Handler found = methods.of(consumer.destination());
        if (found == null && beans.containsBean(name) && beans.isTypeMatch(name, Handler.class)) {
            found = beans.getBean(name, Handler.class);
        }
        if (found == null) {
            throw new IllegalStateException("Consumer '" + name + "' has no handler: write a method with @InboxHandler("
                    + "destination = \"" + consumer.destination() + "\"), or a bean '" + name + "' of type Handler");
        }
        return found;
    }

    private Service<InboxConsumer> service(String name, ConsumerProperties consumer, Handler handler) {
        var connections = beans.getBean(ServiceBusConnections.class);
        connections.check();
        @Nullable SpringTransactions transactions =
                consumer.transactions() == ConsumerProperties.Transactions.SPRING ? springs() : null;
        Supplier<InboxConsumer.Builder> builder = () -> {
            var settings = settings(name, consumer, handler).source(Sources.of(consumer, connections));
            if (transactions != null) {
                settings.transactions(transactions);
            }
            beans.getBeanProvider(ConsumerCustomizer.class)
                    .orderedStream()
                    .forEach(customizer -> customizer.customize(name, settings));
            return settings;
        };
        builders.put(name, builder);
        return new Service<>(name + of, database, () -> {
            InboxConsumer started = builder.get().build().start();
            LOG.info(
                    "Consumer '{}' receives '{}'{}, with up to {} handlers at once",
                    name + of,
                    consumer.destination(),
                    consumer.sessions() ? " in sessions" : "",
                    consumer.concurrency());
            return started;
        });
    }

    @Override
    public InboxConsumer.Builder builder(String name) {
        Supplier<InboxConsumer.Builder> builder = builders.get(name);
        if (builder == null) {
            throw new IllegalArgumentException(
                    "There is no consumer '" + name + "' here, but " + new TreeSet<>(builders.keySet()));
        }
        return builder.get();
    }

    private SpringTransactions springs() {
        var choice = new Choice(beans, properties);
        return SpringTransactions.of(
                choice.manager(database.dataSource()), database.dataSource(), choice.entityManagerFactories());
    }

    private InboxConsumer.Builder settings(String name, ConsumerProperties consumer, Handler handler) {
        var listeners = new ArrayList<>(
                beans.getBeanProvider(ConsumerListener.class).orderedStream().toList());
        Handler watched = handler;
        for (Instruments instrument :
                beans.getBeanProvider(Instruments.class).orderedStream().toList()) {
            Instruments.Watched result = instrument.watch(name, watched);
            watched = result.handler();
            listeners.add(result.listener());
        }
        InboxConsumer.Builder settings = InboxConsumer.builder(database.dataSource())
                .schema(properties.schemaName())
                .name(name)
                .handler(watched)
                .listener(new Listeners(listeners))
                .outsideWork(consumer.outsideWork())
                .onFailure(consumer.onFailure())
                .concurrency(consumer.concurrency())
                .handlerTimeout(consumer.handlerTimeout())
                .batch(consumer.batch())
                .tuning(tuning -> tuning.readAhead(consumer.readAhead())
                        .sessionIdle(consumer.sessionIdle())
                        .drain(consumer.drain()));
        Duration lockTimeout = consumer.lockTimeout();
        if (lockTimeout != null) {
            settings.tuning(tuning -> tuning.lockTimeout(lockTimeout));
        }
        Choice.only(beans, ClaimStore.class).ifPresent(settings::claims);
        Choice.only(beans, PayloadCodec.class).ifPresent(settings::codec);
        return settings;
    }
}
