package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.topology.export.Template.Entity;
import dev.waybill.standalone.topology.export.Template.Grant;
import dev.waybill.standalone.topology.export.Template.Identity;
import dev.waybill.standalone.topology.export.Template.Kind;
import dev.waybill.standalone.topology.export.Template.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Assigns roles on entities. Not thread-safe. */
final class Grants {
    private static final Identity RELAY = new Identity("relayPrincipalId", "The identity of the relays: object id.");
    private static final Identity OTHERS = new Identity(
            "consumersPrincipalId",
            "The identity of whoever consumes what no consumer in the configuration does: object id.");

    private final Configuration configuration;
    private final NamespaceSettings namespace;
    private final List<Entity> entities;
    private final Symbols symbols;
    private final List<Grant> grants = new ArrayList<>();
    private final Set<Entity> received = new LinkedHashSet<>();

    Grants(Configuration configuration, NamespaceSettings namespace, List<Entity> entities, Symbols symbols) {
        this.configuration = configuration;
        this.namespace = namespace;
        this.entities = entities;
        this.symbols = symbols;
    }

    List<Grant> all() {
        entities.stream()
                .filter(entity -> entity.kind() == Kind.QUEUE || entity.kind() == Kind.TOPIC)
                .forEach(entity -> add(RELAY, Role.SENDER, entity));
        configuration.consumers().forEach(this::consumer);
        entities.stream()
                .filter(Grants::isReceivedFrom)
                .filter(entity -> !received.contains(entity))
                .forEach(entity -> add(OTHERS, Role.RECEIVER, entity));
        collected().forEach(entity -> add(RELAY, Role.RECEIVER, entity));
        return List.copyOf(grants);
    }

    // A database collects only in its own namespace.
    private Set<Entity> collected() {
        var collected = new LinkedHashSet<Entity>();
        for (DatabaseSettings database : configuration.databases()) {
            List<DestinationSettings> here = configuration.destinations(namespace).stream()
                    .filter(destination -> configuration
                            .namespace(database, destination)
                            .name()
                            .equals(namespace.name()))
                    .toList();
            database.collect().forEach(name -> find(name, here).ifPresent(collected::add));
        }
        return collected;
    }

    private static boolean isReceivedFrom(Entity entity) {
        return (entity.kind() == Kind.QUEUE || entity.kind() == Kind.SUBSCRIPTION)
                && !entity.properties().containsKey("forwardTo");
    }

    private void consumer(ConsumerSettings consumer) {
        find(consumer.entity(), configuration.destinations(namespace)).ifPresent(entity -> {
            String parameter = symbols.of("consumer", consumer.name()) + "_PrincipalId";
            add(
                    new Identity(parameter, "The identity of the consumer '" + consumer.name() + "': object id."),
                    Role.RECEIVER,
                    entity);
            received.add(entity);
        });
    }

    private void add(Identity identity, Role role, Entity entity) {
        String verb = role == Role.SENDER ? "send" : "receive";
        String symbol = symbols.of("role", identity.parameter().replace("PrincipalId", ""), verb, entity.symbol());
        grants.add(new Grant(symbol, identity, role, entity));
    }

    // The name is a destination or destination/subscription; both may contain slashes.
    private Optional<Entity> find(String name, List<DestinationSettings> destinations) {
        for (DestinationSettings destination : destinations) {
            String path = TemplateBuilder.name(destination.place().entity());
            if (destination.name().equals(name)) {
                return entities.stream()
                        .filter(entity ->
                                entity.kind() == Kind.QUEUE && entity.name().equals(path))
                        .findFirst();
            }
            if (name.startsWith(destination.name() + "/")) {
                String subscription = name.substring(destination.name().length() + 1);
                Optional<Entity> found = entities.stream()
                        .filter(entity -> entity.kind() == Kind.SUBSCRIPTION
                                && entity.name().equals(subscription)
                                && Objects.requireNonNull(entity.parent())
                                        .name()
                                        .equals(path))
                        .findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }
}
