package dev.waybill.standalone.scale;

import dev.waybill.message.BrokerNames;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Suggestion;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/** A queue or subscription with sessions, as the configuration declares it. */
record SessionEntity(NamespaceSettings namespace, DestinationSettings destination, Optional<String> subscription) {
    /** A path of 260 characters, and a subscription of 50. */
    private static final int LONGEST = 400;

    /**
     * Finds an entity by the name of its destination or its path, with {@code /subscription} for that of a topic.
     *
     * @throws NoSuchElementException with a suggestion
     */
    static SessionEntity find(Configuration configuration, String name, Optional<String> namespace) {
        if (name.length() > LONGEST) {
            throw new NoSuchElementException("No entity has a name of " + name.length() + " characters");
        }
        List<SessionEntity> all = configuration.namespaces().stream()
                .filter(each -> namespace.isEmpty() || each.name().equals(namespace.get()))
                .flatMap(each -> configuration.destinations(each).stream().flatMap(found -> of(each, found)))
                .toList();
        List<SessionEntity> found = all.stream()
                .filter(each -> each.names().anyMatch(known -> BrokerNames.same(known, name)))
                .toList();
        if (found.isEmpty()) {
            throw new NoSuchElementException("The configuration has no queue or subscription with sessions '" + name
                    + "'"
                    + Suggestion.among(
                            all.stream().flatMap(SessionEntity::names).toList(), name));
        }
        if (found.size() > 1) {
            throw new NoSuchElementException("Several namespaces have '" + name + "'; add &namespace= with one of "
                    + found.stream().map(each -> each.namespace().name()).toList());
        }
        return found.get(0);
    }

    private static Stream<SessionEntity> of(NamespaceSettings namespace, DestinationSettings destination) {
        if (!destination.form().topic()) {
            return destination.form().sessions()
                    ? Stream.of(new SessionEntity(namespace, destination, Optional.empty()))
                    : Stream.empty();
        }
        return destination.subscriptions().entrySet().stream()
                .filter(declared -> declared.getValue().sessions())
                .map(declared -> new SessionEntity(namespace, destination, Optional.of(declared.getKey())));
    }

    private Stream<String> names() {
        Stream<String> names = Stream.of(destination.name(), entity()).distinct();
        return subscription.isEmpty()
                ? names
                : names.flatMap(topic ->
                        Stream.of(topic + "/" + subscription.get(), topic + "/Subscriptions/" + subscription.get()));
    }

    String entity() {
        return destination.place().entity();
    }
}
