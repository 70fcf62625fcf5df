package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import dev.waybill.standalone.config.ConfigException;
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
 * Reads the entities of a namespace and caches them. Reading settings needs the role Data Owner; without it, every lookup
 * contains the reason. Not thread-safe.
 */
public final class Entities {
    private static final Duration PROBE = Duration.ofSeconds(15);

    private final NamespaceSettings namespace;
    private final Supplier<ServiceBusAdministrationClient> clients;
    private final Supplier<ServiceBusClientBuilder> connections;
    private final Map<String, EntityLookup> known = new LinkedHashMap<>();
    private final Map<String, Optional<Throwable>> senders = new LinkedHashMap<>();
    private final NamespaceProbe reach;
    private @Nullable ServiceBusAdministrationClient client;
    private @Nullable EntityLookup noAdministration;

    Entities(
            NamespaceSettings namespace,
            Supplier<ServiceBusAdministrationClient> clients,
            Supplier<ServiceBusClientBuilder> connections) {
        this.namespace = namespace;
        this.clients = clients;
        this.connections = connections;
        this.reach = new NamespaceProbe(namespace);
    }

    public Address address() {
        return new Address(reach.host(), reach.port());
    }

    /** A command of the shell that checks whether the namespace is reachable. */
    public String check() {
        return reach.command();
    }

    /** Why the namespace is unreachable; empty if it answers. The probe connects to {@code entity}. */
    public Optional<String> away(Optional<String> entity) {
        Optional<String> refused = reach.refused();
        if (refused.isPresent()) {
            return refused;
        }
        return entity.flatMap(this::tried)
                .filter(NamespaceProbe::isSilence)
                .map(failure -> "it takes connections" + reach.through() + ", and no answer came within "
                        + PROBE.toSeconds() + " s");
    }

    public EntityLookup queue(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofQueue(
                        administration.getQueue(path), administration.getQueueRuntimeProperties(path)));
    }

    public EntityLookup topic(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofTopic(
                        administration.getTopic(path), administration.getTopicRuntimeProperties(path)));
    }

    public EntityLookup subscription(String topic, String name) {
        return ask(EntityMapping.path(topic, name), administration -> {
            var rules = new TreeMap<String, String>();
            administration.listRules(topic, name).forEach(rule -> rules.put(rule.getName(), EntityMapping.text(rule)));
            return EntityMapping.ofSubscription(
                    administration.getSubscription(topic, name),
                    administration.getSubscriptionRuntimeProperties(topic, name),
                    rules);
        });
    }

    /** Drops a cached entity. */
    public void forget(String path) {
        known.remove(path);
    }

    /** Retries the namespace after a failure. */
    public void askAgain() {
        noAdministration = null;
    }

    /** Whether administration has answered every request, even with an error. */
    public boolean isAnswering() {
        return noAdministration == null;
    }

    /** All queues and topics; empty if they are unreadable. */
    public Optional<Inventory> inventory() {
        if (!namespace.administration().allowed() || noAdministration != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Inventory(
                    administration().listQueues().stream()
                            .map(QueueProperties::getName)
                            .toList(),
                    administration().listTopics().stream()
                            .map(TopicProperties::getName)
                            .toList()));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The subscriptions of a topic; none if they are unreadable. */
    public List<String> subscriptions(String topic) {
        return subscriptionsOf(topic).orElse(List.of());
    }

    /** The subscriptions of a topic; empty if they are unreadable. */
    public Optional<List<String>> subscriptionsOf(String topic) {
        if (!namespace.administration().allowed() || noAdministration != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(administration().listSubscriptions(topic).stream()
                    .map(subscription -> subscription.getSubscriptionName())
                    .toList());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The rules of a subscription with actions; none if they are unreadable. */
    public List<String> actingRules(String topic, String subscription) {
        try {
            return administration().listRules(topic, subscription).stream()
                    .filter(rule -> rule.getAction() instanceof SqlRuleAction)
                    .map(RuleProperties::getName)
                    .toList();
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    /** The properties that a declaration cannot express; none if the entity is unreadable. */
    public List<String> undeclarable(String path, boolean topic) {
        try {
            return topic
                    ? UndeclarableProperties.of(administration().getTopic(path))
                    : UndeclarableProperties.of(administration().getQueue(path));
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    /** The tier: {@code Basic}, {@code Standard}, {@code Premium}; empty if the namespace does not name it. */
    public Optional<String> tier() {
        if (!namespace.administration().allowed() || noAdministration != null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(administration().getNamespaceProperties().getMessagingSku())
                    .map(Object::toString);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Why this process may not send to an entity; empty if it may. Sends no message. */
    public Optional<String> mayNotSend(String entity) {
        return tried(entity).map(Entities::rootMessage);
    }

    private Optional<Throwable> tried(String entity) {
        return senders.computeIfAbsent(entity, this::trySending);
    }

    private Optional<Throwable> trySending(String entity) {
        ServiceBusClientBuilder builder;
        try {
            builder = connections.get();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
        var sender = builder.retryOptions(
                        new AmqpRetryOptions().setTryTimeout(PROBE).setMaxRetries(0))
                .sender()
                .queueName(entity)
                .buildAsyncClient();
        try {
            sender.createMessageBatch().block(PROBE);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        } finally {
            sender.close();
        }
    }

    private EntityLookup ask(String path, Question question) {
        @Nullable EntityLookup before = known.get(path);
        if (before != null) {
            return before;
        }
        EntityLookup answer = asked(question);
        known.put(path, answer);
        return answer;
    }

    private EntityLookup asked(Question question) {
        if (!namespace.administration().allowed()) {
            return EntityLookup.unknown("namespace." + namespace.name() + ".administration is false");
        }
        if (noAdministration != null) {
            return noAdministration;
        }
        try {
            return EntityLookup.of(question.ask(administration()));
        } catch (ResourceNotFoundException e) {
            return EntityLookup.missing();
        } catch (HttpResponseException e) {
            int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
            return EntityLookup.unknown(
                    status == 401 || status == 403
                            ? "reading settings needs the role Azure Service Bus Data Owner (" + status + ")"
                            : rootMessage(e));
        } catch (ConfigException e) {
            noAdministration = EntityLookup.unknown(rootMessage(e));
            return noAdministration;
        } catch (NullPointerException e) {
            // The SDK fails if it reads a queue from the description of a topic, or the reverse.
            return EntityLookup.unknown("the namespace has something of another kind by this name");
        } catch (RuntimeException e) {
            // After one timeout, later requests would time out as well.
            noAdministration = EntityLookup.unknown("administration does not answer: " + rootMessage(e));
            return noAdministration;
        }
    }

    private ServiceBusAdministrationClient administration() {
        if (client == null) {
            client = clients.get();
        }
        return client;
    }

    static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? "" : root.getMessage();
        return text.lines().findFirst().orElse(root.getClass().getSimpleName());
    }

    /** The queues and topics of a namespace. */
    public record Inventory(List<String> queues, List<String> topics) {
        public Inventory {
            queues = List.copyOf(queues);
            topics = List.copyOf(topics);
        }
    }

    public record Address(String host, int port) {}

    @FunctionalInterface
    private interface Question {
        EntityProperties ask(ServiceBusAdministrationClient administration);
    }
}
