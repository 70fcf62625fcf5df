package dev.waybill.spring.autoconfigure;

import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.spring.RelayCustomizer;
import dev.waybill.spring.instruments.Instruments;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The relay of this process, if it is to publish something. */
final class RelayLifecycle extends Services {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLifecycle.class);

    private final WaybillProperties properties;
    private final Database database;
    private final ObjectProvider<ServiceBusConnections> connections;
    private final List<Instruments> instruments;
    private final List<RelayCustomizer> customizers;
    private final List<Service<Relay>> services;

    /** @param name in health and log */
    RelayLifecycle(
            String name,
            WaybillProperties properties,
            Database database,
            ObjectProvider<ServiceBusConnections> connections,
            RelayOfThisProcess relayOfThisProcess,
            ListableBeanFactory beans) {
        super(RELAY, properties.autoStartup());
        this.properties = properties;
        this.database = database;
        this.connections = connections;
        instruments = beans.getBeanProvider(Instruments.class).orderedStream().toList();
        customizers =
                beans.getBeanProvider(RelayCustomizer.class).orderedStream().toList();
        services = properties.publishes() ? List.of(new Service<>(name, database, this::begin)) : List.of();
        services.forEach(service -> {
            // Whether it can be made at all is known at once.
            connections.getObject().check();
            relayOfThisProcess.follow(service);
        });
    }

    private Relay begin() {
        database.serve();
        RelayProperties relay = properties.relay();
        Relay.Builder settings = Relay.builder(database.dataSource())
                .schema(properties.schemaName())
                .publisher(publisher())
                .tuning(tuning -> tuning.leaseDuration(relay.leaseDuration())
                        .pollInterval(relay.pollInterval())
                        .longestIdle(relay.longestIdle())
                        .batchRows(relay.batchRows())
                        .listening(relay.listening()));
        if (relay.name() != null) {
            settings.name(relay.name());
        }
        properties.destinations().forEach((name, destination) -> {
            settings.destination(name, destination.refused());
            if (destination.retains()) {
                settings.retain(name, destination.retain());
            }
        });
        customizers.forEach(customizer -> customizer.customize(settings));
        Relay started = settings.build().start();
        properties
                .destinations()
                .forEach((name, destination) -> LOG.info(
                        "The relay publishes '{}'{}", name, destination.sessions() ? ", in order per session" : ""));
        return started;
    }

    private Publisher publisher() {
        Publisher publisher = ServiceBusPublisher.of(connections.getObject())
                .withSendDeadline(properties.relay().sendDeadline());
        for (Instruments instrument : instruments) {
            publisher = instrument.around(publisher);
        }
        return publisher;
    }

    @Override
    List<Service<Relay>> all() {
        return services;
    }
}
