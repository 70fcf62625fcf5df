package dev.waybill.standalone.servicebus;

import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Sends the shipments of one outbox to several namespaces, and to entities of other names. Thread-safe. */
public final class Router implements Publisher {
    private final Map<String, Route> routes;

    /** Routes by destination. */
    public Router(Map<String, Route> routes) {
        this.routes = Map.copyOf(routes);
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        Route route = route(shipment.destination());
        return route.publisher.publish(new Shipment(route.entity, shipment.rows(), shipment.mayContinue()));
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        Route route = route(destination);
        return route.publisher.prepare(route.entity);
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

    /** Which way, and what the entity is called there. */
    public record Route(Publisher publisher, String entity) {}
}
