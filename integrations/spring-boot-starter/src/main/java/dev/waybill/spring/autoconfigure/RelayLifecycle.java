package dev.waybill.spring.autoconfigure;

import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.spring.RelayCustomizer;
import dev.waybill.spring.instruments.Instruments;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import dev.waybill.spring.tenants.TenantRelays;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The relay of this process, if it is to publish something. */
final class RelayLifecycle extends Services {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLifecycle.class);
    private static final Duration LONGEST_IDLE = Duration.ofMillis(500);

    /** A look at an idle tenant and the pool's check of its connection: together one query a minute. */
    private static final Duration LONGEST_IDLE_OF_TENANTS = Duration.ofMinutes(2);

    private final WaybillProperties properties;
    private final Database database;
    private final ObjectProvider<ServiceBusConnections> connections;
    private final List<Instruments> instruments;
    private final List<RelayCustomizer> customizers;
    private final List<Service<Relay>> relays;
    private final List<Service<TenantRelays>> tenants;

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
        boolean one = database.tenants() == null;
        relays = properties.publishes() && one ? List.of(new Service<>(name, database, this::begin)) : List.of();
        tenants =
                properties.publishes() && !one ? List.of(new Service<>(name, database, this::beginTenants)) : List.of();
        if (properties.publishes()) {
            // Whether it can be made at all is known at once.
            connections.getObject().check();
        }
        relays.forEach(relayOfThisProcess::follow);
        tenants.forEach(relayOfThisProcess::followTenants);
    }

    private Relay begin() {
        database.serve();
        Relay started = settings(database.dataSource(), publisher()).start();
        tell("");
        return started;
    }

    private TenantRelays beginTenants() {
        RelayProperties relay = properties.relay();
        TenantRelays started = TenantRelays.start(
                Objects.requireNonNull(database.tenants()),
                new TenantRelays.Work(
                        properties.schemaName(),
                        properties.destinations().keySet(),
                        this::settings,
                        publisher(),
                        relay.leaseDuration(),
                        relay.longestIdle(LONGEST_IDLE_OF_TENANTS)));
        tell(" of " + properties.tenants().size() + " tenants");
        return started;
    }

    private void tell(String whose) {
        properties
                .destinations()
                .forEach((name, destination) -> LOG.info(
                        "The relay publishes '{}'{}{}",
                        name,
                        whose,
                        destination.sessions() ? ", in order per session" : ""));
    }

    private Relay.Builder settings(DataSource dataSource, Publisher publisher) {
        RelayProperties relay = properties.relay();
        Relay.Builder settings = Relay.builder(dataSource)
                .schema(properties.schemaName())
                .publisher(publisher)
                .tuning(tuning -> tuning.leaseDuration(relay.leaseDuration())
                        .pollInterval(relay.pollInterval())
                        .longestIdle(relay.longestIdle(LONGEST_IDLE))
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
        return settings;
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
    List<Service<?>> all() {
        return Stream.<Service<?>>concat(relays.stream(), tenants.stream()).toList();
    }

    List<Service<Relay>> relays() {
        return relays;
    }

    List<Service<TenantRelays>> tenants() {
        return tenants;
    }
}
