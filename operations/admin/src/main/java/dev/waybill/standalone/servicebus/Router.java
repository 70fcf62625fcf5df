package dev.waybill.standalone.servicebus;

import dev.waybill.message.BrokerNames;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes the batches of one outbox to several namespaces and entities. Thread-safe. */
public final class Router implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final Map<String, Route> routes;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** The routes of a database's destinations. */
    public static Router of(Configuration configuration, DatabaseSettings database) {
        var publishers = new HashMap<NamespaceSettings, Publisher>();
        var routes = new LinkedHashMap<String, Route>();
        for (DestinationSettings destination : configuration.destinations(database)) {
            NamespaceSettings namespace = configuration.namespace(database, destination);
            Publisher publisher = publishers.computeIfAbsent(
                    namespace,
                    other -> new Bus(other)
                            .publisher(
                                    configuration.destinations(database),
                                    configuration.relay().sendDeadline()));
            routes.put(
                    destination.name(),
                    new Route(publisher, destination.place().entity(), NamespaceProbe.host(namespace)));
        }
        return new Router(routes);
    }

    public Router(Map<String, Route> routes) {
        this.routes = Map.copyOf(routes);
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        Route route = route(shipment.destination());
        @Nullable Entity inForce = shipment.entity();
        if (inForce != null && !inForce.path().equalsIgnoreCase(route.entity)) {
            tell(shipment.destination(), route.entity, inForce.path());
        }
        return route.publisher.publish(new Shipment(route.entity, shipment.rows(), shipment.mayContinue(), inForce));
    }

    private void tell(String destination, String configured, String inForce) {
        if (told.add(destination + " " + inForce)) {
            LOG.warn(
                    "Destination '{}' has moved to the entity '{}', but destination.{}.entity is '{}'. Messages go to '{}'."
                            + " Set destination.{}.entity to {}",
                    destination,
                    inForce,
                    destination,
                    configured,
                    inForce,
                    destination,
                    inForce);
        }
    }

    @Override
    public boolean followsEntities() {
        return routes.values().stream().allMatch(route -> route.publisher.followsEntities());
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        Route route = route(destination);
        return route.publisher.prepare(route.entity);
    }

    // By the configuration: a publisher would need a connection's builder, for which a proxy or a credential must
    // answer.
    @Override
    public String place(String destination) {
        Route route = route(destination);
        return route.host.toLowerCase(Locale.ROOT) + "/" + BrokerNames.key(route.entity);
    }

    private Route route(String destination) {
        Route route = routes.get(destination);
        if (route == null) {
            throw new IllegalArgumentException("There is no route to '" + destination + "'");
        }
        return route;
    }

    @Override
    public Duration longestSend() {
        return routes.values().stream()
                .map(route -> route.publisher.longestSend())
                .max(Duration::compareTo)
                .orElseGet(Publisher.super::longestSend);
    }

    @Override
    public void close() {
        new HashSet<>(routes.values().stream().map(Route::publisher).toList()).forEach(Publisher::close);
    }

    /** The publisher, and the entity's name in its namespace, which is at the host. */
    public record Route(Publisher publisher, String entity, String host) {}
}
