package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.policy.FixedDelay;
import com.azure.core.http.policy.RetryPolicy;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.servicebus.publisher.BatchMode;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Tier;
import dev.waybill.standalone.config.Secret;
import dev.waybill.standalone.identity.Credentials;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A namespace and the identity of the process there. Thread-safe. */
public final class Bus {
    private static final Logger LOG = LoggerFactory.getLogger(Bus.class);

    /** Short, because a person waits. */
    private static final FixedDelay RETRIES = new FixedDelay(1, Duration.ofMillis(500));

    private static final AmqpRetryOptions BY_HAND =
            new AmqpRetryOptions().setTryTimeout(Duration.ofSeconds(15)).setMaxRetries(0);

    private final NamespaceSettings namespace;
    private final Network network;

    public Bus(NamespaceSettings namespace) {
        this.namespace = namespace;
        this.network = new Network(namespace);
    }

    /** The identity without secrets. */
    public String identity() {
        return namespace.signIn().connectionString().isPresent()
                ? "connection string"
                : namespace.signIn().identity().name().toLowerCase(Locale.ROOT).replace('_', '-')
                        + namespace.signIn().clientId().map(id -> " " + id).orElse("");
    }

    /**
     * Logs the identity, and warns if it is a key.
     *
     * @throws ConfigException if this process cannot have the identity
     */
    public void announce() {
        String way = network.words(NamespaceProbe.host(namespace));
        if (namespace.signIn().connectionString().isPresent()) {
            LOG.warn(
                    "Namespace '{}' uses a connection string, a key that must be stored safely and rotated{}."
                            + " Give namespace.{}.host, and the process an identity",
                    namespace.name(),
                    way,
                    namespace.name());
        } else {
            checkIdentity();
            LOG.info(
                    "Namespace '{}' at {} uses the identity {}{}",
                    namespace.name(),
                    namespace.host().orElse(""),
                    identity(),
                    way);
        }
    }

    public ServiceBusPublisher publisher(Iterable<DestinationSettings> destinations, Duration sendDeadline) {
        ServiceBusPublisher publisher =
                ServiceBusPublisher.of(this::connections).withSendDeadline(sendDeadline);
        for (DestinationSettings destination : destinations) {
            if (destination.sending().perSessionBatches() || destination.form().partitioned()) {
                publisher = publisher.withBatches(destination.place().entity(), BatchMode.PER_SESSION);
            }
        }
        return publisher;
    }

    public ServiceBusDeadLetters deadLetters(String queue) {
        return ServiceBusDeadLetters.ofQueue(this::connections, queue);
    }

    public ServiceBusDeadLetters deadLetters(String topic, String subscription) {
        return ServiceBusDeadLetters.ofSubscription(this::connections, topic, subscription);
    }

    /**
     * A tool for experiments with one entity.
     *
     * @throws UnreachableException if the namespace does not answer; a receiver would report that there are no messages
     */
    public QueueTool byHand(String entity) {
        Entities entities = entities();
        entities.away(Optional.of(entity)).ifPresent(why -> {
            throw new UnreachableException(namespace, entities.address(), why);
        });
        return new QueueTool(() -> connections().retryOptions(BY_HAND));
    }

    public Entities entities() {
        return new Entities(namespace, this::administration, this::connections);
    }

    public MessageCounter contents(Entities entities) {
        return new MessageCounter(entities, this::connections);
    }

    public SessionCounter sessions() {
        return new SessionCounter(this::connections);
    }

    public EntityWriter writer() {
        return new EntityWriter(this::administration, namespace.tier() == Tier.PREMIUM);
    }

    /**
     * Refuses an identity that this process cannot have.
     *
     * @throws ConfigException with what is missing
     */
    public void checkIdentity() {
        NamespaceSettings.SignIn signIn = namespace.signIn();
        if (signIn.connectionString().isEmpty()) {
            Credentials.check("namespace." + namespace.name() + ".credential", signIn.identity(), signIn.clientId());
        }
    }

    private TokenCredential credential() {
        checkIdentity();
        NamespaceSettings.SignIn signIn = namespace.signIn();
        return Credentials.of(signIn.identity(), signIn.clientId(), network.http());
    }

    // Called for each new connection, on a thread that may wait for it.
    ServiceBusClientBuilder connections() {
        var reach = new NamespaceProbe(namespace);
        reach.forbidden().ifPresent(why -> {
            throw new UnreachableException(namespace, new Entities.Address(reach.host(), reach.port()), why);
        });
        var builder = new ServiceBusClientBuilder();
        namespace.signIn().connectionString().map(Secret::text).ifPresent(builder::connectionString);
        namespace.host().ifPresent(host -> builder.fullyQualifiedNamespace(host).credential(credential()));
        network.applyTo(builder, NamespaceProbe.host(namespace));
        return builder;
    }

    private ServiceBusAdministrationClient administration() {
        var builder = new ServiceBusAdministrationClientBuilder()
                .retryPolicy(new RetryPolicy(RETRIES))
                .addPolicy(new SubscriptionLifetime());
        namespace.signIn().connectionString().map(Secret::text).ifPresent(builder::connectionString);
        namespace.host().ifPresent(host -> builder.credential(host, credential()));
        network.http().ifPresent(builder::httpClient);
        namespace.administration().endpoint().ifPresent(endpoint -> builder.addPolicy(new EndpointOverride(endpoint)));
        return builder.buildClient();
    }
}
