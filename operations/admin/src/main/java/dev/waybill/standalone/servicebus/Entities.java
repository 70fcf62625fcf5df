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

    /** Host and port, as connections use them. */
    public Address address() {
        return new Address(reach.host(), reach.port());
    }

    /**
     * Why the namespace cannot be reached at all; empty if it answers somehow.
     *
     * @param entity one that messages are sent to, to be asked for
     */
    public Optional<String> away(Optional<String> entity) {
        Optional<String> refused = reach.refused();
        if (refused.isPresent()) {
            return refused;
        }
        return entity.flatMap(this::tried)
                .filter(NamespaceProbe::isSilence)
                .map(failure -> "it takes connections, and no answer came within " + PROBE.toSeconds() + " s");
    }

    /** A queue. */
    public EntityLookup queue(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofQueue(
                        administration.getQueue(path), administration.getQueueRuntimeProperties(path)));
    }

    /** A topic. */
    public EntityLookup topic(String path) {
        return ask(
                path,
                administration -> EntityMapping.ofTopic(
                        administration.getTopic(path), administration.getTopicRuntimeProperties(path)));
    }

    /** A subscription with its rules. */
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

    /** Forgets an answer, so that the next question goes to the namespace. */
    public void forget(String path) {
        known.remove(path);
    }

    /** Asks the namespace again, though it has not answered before. */
    public void askAgain() {
        noAdministration = null;
    }

    /** Whether administration has answered whatever it was asked, be it with a refusal. */
    public boolean isAnswering() {
        return noAdministration == null;
    }

    /** The paths of all queues and topics; empty if they cannot be read. */
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

    /** The names of a topic's subscriptions; none if they cannot be read. */
    public List<String> subscriptions(String topic) {
        return subscriptionsOf(topic).orElse(List.of());
    }

    /** The names of a topic's subscriptions; empty if they cannot be read. */
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

    /** The names of a subscription's rules that have actions; none if they cannot be read. */
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

    /** The properties of an entity that no declaration can name, in words; none if it cannot be read. */
    public List<String> undeclarable(String path, boolean topic) {
        try {
            return topic
                    ? UndeclarableProperties.of(administration().getTopic(path))
                    : UndeclarableProperties.of(administration().getQueue(path));
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    /**
     * The tier that the namespace names: {@code Basic}, {@code Standard}, {@code Premium}; empty if it names none.
     */
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

    /**
     * Whether this process may send to an entity: empty if it may, or what the namespace has said. Sends nothing.
     */
    public Optional<String> mayNotSend(String entity) {
        return tried(entity).map(Entities::rootMessage);
    }

    private Optional<Throwable> tried(String entity) {
        return senders.computeIfAbsent(entity, this::trySending);
    }

    private Optional<Throwable> trySending(String entity) {
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
        } catch (NullPointerException e) {
            // The library looks for a queue in the description of a topic, or the other way round.
            return EntityLookup.unknown("the namespace has something of another kind by this name");
        } catch (RuntimeException e) {
            // Nobody answered: the next question would wait as long as this one.
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
        String text = String.valueOf(root.getMessage());
        return text.lines().findFirst().orElse(root.getClass().getSimpleName());
    }

    /** All that a namespace has, by path. */
    public record Inventory(List<String> queues, List<String> topics) {
        /** Copies the lists. */
        public Inventory {
            queues = List.copyOf(queues);
            topics = List.copyOf(topics);
        }
    }

    /** Where a namespace is. */
    public record Address(String host, int port) {}

    @FunctionalInterface
    private interface Question {
        EntityProperties ask(ServiceBusAdministrationClient administration);
    }
}
