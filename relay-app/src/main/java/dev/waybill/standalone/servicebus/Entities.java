package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.waybill.standalone.config.NamespaceSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a namespace about its entities. Reading settings needs the role Data Owner; without it, or when it is not
 * to be tried, every answer says so. Not thread-safe: what was read once is kept.
 */
public final class Entities {
    private static final Duration PROBE = Duration.ofSeconds(15);

    private final NamespaceSettings namespace;
    private final Supplier<ServiceBusAdministrationClient> clients;
    private final Supplier<ServiceBusClientBuilder> connections;
    private final Map<String, Lookup> known = new LinkedHashMap<>();
    private @Nullable ServiceBusAdministrationClient client;

    Entities(
            NamespaceSettings namespace,
            Supplier<ServiceBusAdministrationClient> clients,
            Supplier<ServiceBusClientBuilder> connections) {
        this.namespace = namespace;
        this.clients = clients;
        this.connections = connections;
    }

    /** A queue. */
    public Lookup queue(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofQueue(
                        administration.getQueue(path), administration.getQueueRuntimeProperties(path)));
    }

    /** A topic. */
    public Lookup topic(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofTopic(
                        administration.getTopic(path), administration.getTopicRuntimeProperties(path)));
    }

    /** A subscription with its rules. */
    public Lookup subscription(String topic, String name) {
        return ask(EntityMapping.path(topic, name), administration -> {
            var rules = new TreeMap<String, String>();
            administration
                    .listRules(topic, name)
                    .forEach(rule -> rules.put(rule.getName(), EntityMapping.filter(rule)));
            return EntityMapping.ofSubscription(
                    administration.getSubscription(topic, name),
                    administration.getSubscriptionRuntimeProperties(topic, name),
                    rules);
        });
    }

    /** The names of a topic's subscriptions; none if they cannot be read. */
    public List<String> subscriptions(String topic) {
        try {
            return administration().listSubscriptions(topic).stream()
                    .map(subscription -> subscription.getSubscriptionName())
                    .toList();
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    /**
     * The tier that the namespace names: {@code Basic}, {@code Standard}, {@code Premium}; empty if it names none.
     */
    public Optional<String> tier() {
        if (!namespace.administration().allowed()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(administration().getNamespaceProperties().getMessagingSku())
                    .map(Object::toString);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether this process may send to an entity: empty if it may, or what the namespace has said. Sends nothing.
     */
    public Optional<String> mayNotSend(String entity) {
        var sender = connections
                .get()
                .retryOptions(new AmqpRetryOptions().setTryTimeout(PROBE).setMaxRetries(0))
                .sender()
                .queueName(entity)
                .buildAsyncClient();
        try {
            sender.createMessageBatch().block(PROBE);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(rootMessage(e));
        } finally {
            sender.close();
        }
    }

    private Lookup ask(String path, Question question) {
        @Nullable Lookup before = known.get(path);
        if (before != null) {
            return before;
        }
        Lookup answer = asked(question);
        known.put(path, answer);
        return answer;
    }

    private Lookup asked(Question question) {
        if (!namespace.administration().allowed()) {
            return Lookup.unknown("namespace." + namespace.name() + ".administration is false");
        }
        try {
            return Lookup.of(question.ask(administration()));
        } catch (ResourceNotFoundException e) {
            return Lookup.missing();
        } catch (HttpResponseException e) {
            int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
            return Lookup.unknown(
                    status == 401 || status == 403
                            ? "reading settings needs the role Azure Service Bus Data Owner (" + status + ")"
                            : rootMessage(e));
        } catch (RuntimeException e) {
            return Lookup.unknown(rootMessage(e));
        }
    }

    private ServiceBusAdministrationClient administration() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = String.valueOf(root.getMessage());
        return text.lines().findFirst().orElse(root.getClass().getSimpleName());
    }

    @FunctionalInterface
    private interface Question {
        EntityProperties ask(ServiceBusAdministrationClient administration);
    }
}
