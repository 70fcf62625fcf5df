package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Receiver;
import dev.waybill.servicebus.ConnectionStrings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Receives messages of a queue or subscription by peek-lock; with {@link #withSessions}, session by session. Uses a connection
 * for 100 sessions or workers and replaces it after a failure or a long silence. Immutable and thread-safe.
 */
public final class ServiceBusSource implements MessageSource {
    /** The default silence of the broker after which a connection is replaced, 5 min. */
    public static final Duration DEFAULT_SILENCE = Duration.ofMinutes(5);

    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private final EntityDescription facts;
    private final Duration silence;
    private final MessageSource links;
    private final BrokerQuestion question;

    private ServiceBusSource(
            Supplier<ServiceBusClientBuilder> builders, Entity entity, EntityDescription facts, Duration silence) {
        this.builders = builders;
        this.entity = entity;
        this.facts = facts;
        this.silence = silence;
        question = new BrokerQuestion(builders, entity);
        links = facts.sessions()
                ? new SessionLinks(builders, entity, facts, silence)
                : new MessageLinks(builders, entity, facts, silence);
    }

    /** A queue in the namespace of a connection string. */
    public static ServiceBusSource ofQueue(String connectionString, String queue) {
        return ofQueue(ConnectionStrings.builders(connectionString), queue);
    }

    /** A subscription; as {@link #ofQueue(String, String)}. */
    public static ServiceBusSource ofSubscription(String connectionString, String topic, String subscription) {
        return ofSubscription(ConnectionStrings.builders(connectionString), topic, subscription);
    }

    /** A queue, with a new builder, which has a namespace and credential, for each connection. */
    public static ServiceBusSource ofQueue(Supplier<ServiceBusClientBuilder> builders, String queue) {
        return of(builders, Entity.queue(queue));
    }

    /** A subscription; as {@link #ofQueue(Supplier, String)}. */
    public static ServiceBusSource ofSubscription(
            Supplier<ServiceBusClientBuilder> builders, String topic, String subscription) {
        return of(builders, Entity.subscription(topic, subscription));
    }

    private static ServiceBusSource of(Supplier<ServiceBusClientBuilder> builders, Entity entity) {
        return new ServiceBusSource(builders, entity, EntityDescription.of(entity.path(), false), DEFAULT_SILENCE);
    }

    /** The entity requires sessions: messages arrive in the order of their sessions. */
    public ServiceBusSource withSessions() {
        return with(EntityDescription::withSessions);
    }

    /**
     * Sets properties of the entity: lock duration, maximum delivery count, prefetch, deletion on receipt. The latter is for
     * telemetry: the broker deletes a message when it sends it, even if it never arrives.
     */
    public ServiceBusSource with(UnaryOperator<EntityDescription> change) {
        return new ServiceBusSource(builders, entity, change.apply(facts), silence);
    }

    /** Sets the silence after which a connection is replaced. Default: {@link #DEFAULT_SILENCE}. */
    public ServiceBusSource withSilence(Duration silence) {
        return new ServiceBusSource(builders, entity, facts, silence);
    }

    @Override
    public EntityDescription facts() {
        return facts;
    }

    @Override
    public Optional<Receiver> acceptNext() throws InterruptedException {
        return links.acceptNext();
    }

    @Override
    public Optional<Receiver> accept(String session, Duration atMost) throws InterruptedException {
        return links.accept(session, atMost);
    }

    @Override
    public boolean answers(Duration atMost) throws InterruptedException {
        return question.ask(atMost);
    }

    @Override
    public void stopAccepting() {
        links.stopAccepting();
    }

    @Override
    public void close() {
        links.close();
    }
}
