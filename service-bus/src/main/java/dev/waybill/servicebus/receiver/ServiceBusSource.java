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
 * The messages of a queue or subscription, peek-locked; of an entity that requires sessions, session by session, next available
 * first ({@link #withSessions}). Takes a connection for each 100 sessions or workers, and makes it anew after a failure or a long
 * silence. Thread-safe; a change gives another source.
 */
public final class ServiceBusSource implements MessageSource {
    /** After this long without a frame from the broker a connection is made anew: 5 min. */
    public static final Duration DEFAULT_SILENCE = Duration.ofMinutes(5);

    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private final EntityDescription facts;
    private final Duration silence;
    private final MessageSource links;

    private ServiceBusSource(
            Supplier<ServiceBusClientBuilder> builders, Entity entity, EntityDescription facts, Duration silence) {
        this.builders = builders;
        this.entity = entity;
        this.facts = facts;
        this.silence = silence;
        links = facts.sessions()
                ? new SessionLinks(builders, entity, facts, silence)
                : new MessageLinks(builders, entity, facts, silence);
    }

    /**
     * A queue in the namespace of a connection string.
     *
     * @throws IllegalArgumentException if it is no connection string
     */
    public static ServiceBusSource ofQueue(String connectionString, String queue) {
        return ofQueue(ConnectionStrings.builders(connectionString), queue);
    }

    /** A subscription; as {@link #ofQueue(String, String)}. */
    public static ServiceBusSource ofSubscription(String connectionString, String topic, String subscription) {
        return ofSubscription(ConnectionStrings.builders(connectionString), topic, subscription);
    }

    /**
     * A queue.
     *
     * @param builders makes a new builder, with the connection string or the namespace and credential set; called once per
     *     connection
     */
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

    /** The same entity, which requires sessions: each message comes in the order of its session. */
    public ServiceBusSource withSessions() {
        return with(EntityDescription::withSessions);
    }

    /**
     * The same with other facts of the entity: lock duration, maximum delivery count, prefetch, deletion on receipt. The
     * latter is for telemetry whose loss does not matter: a message is gone as soon as the broker has sent it, whether it
     * arrives and is handled or not.
     */
    public ServiceBusSource with(UnaryOperator<EntityDescription> change) {
        return new ServiceBusSource(builders, entity, change.apply(facts), silence);
    }

    /** The same with another silence after which a connection is made anew; {@link #DEFAULT_SILENCE} otherwise. */
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
    public void stopAccepting() {
        links.stopAccepting();
    }

    @Override
    public void close() {
        links.close();
    }
}
