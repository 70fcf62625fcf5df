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
 * The messages of a queue or subscription without sessions, peek-locked; a link per worker, a connection per 100 links.
 */
public final class ServiceBusMessages implements MessageSource {
    private static final int LINKS_PER_CONNECTION = 100;

    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private final EntityDescription facts;
    private final Connections<ServiceBusClientBuilder> connections;
    private volatile boolean stopped;

    private ServiceBusMessages(Supplier<ServiceBusClientBuilder> builders, Entity entity, EntityDescription facts) {
        this.builders = builders;
        this.entity = entity;
        this.facts = facts;
        // Clients built by one builder share its connection, and the last of them to close closes it.
        connections = new Connections<>(this::connect, builder -> {}, LINKS_PER_CONNECTION);
    }

    /**
     * Messages of a queue.
     *
     * @param builders makes a new builder, with the connection string or the namespace and credential set; called once per
     *     connection
     */
    public static ServiceBusMessages ofQueue(Supplier<ServiceBusClientBuilder> builders, String queue) {
        return of(builders, Entity.queue(queue));
    }

    /** Messages of a subscription; as {@link #ofQueue(Supplier, String)}. */
    public static ServiceBusMessages ofSubscription(
            Supplier<ServiceBusClientBuilder> builders, String topic, String subscription) {
        return of(builders, Entity.subscription(topic, subscription));
    }

    /**
     * Messages of a queue in the namespace of a connection string.
     *
     * @throws IllegalArgumentException if it is no connection string
     */
    public static ServiceBusMessages ofQueue(String connectionString, String queue) {
        return ofQueue(ConnectionStrings.builders(connectionString), queue);
    }

    /** Messages of a subscription; as {@link #ofQueue(String, String)}. */
    public static ServiceBusMessages ofSubscription(String connectionString, String topic, String subscription) {
        return ofSubscription(ConnectionStrings.builders(connectionString), topic, subscription);
    }

    private static ServiceBusMessages of(Supplier<ServiceBusClientBuilder> builders, Entity entity) {
        return new ServiceBusMessages(builders, entity, EntityDescription.of(entity.path(), false));
    }

    /**
     * The same with other facts of the entity: lock duration, maximum delivery count, prefetch, deletion on receipt. The
     * latter is for telemetry whose loss does not matter: a message is gone as soon as the broker has sent it, whether it
     * arrives and is handled or not.
     */
    public ServiceBusMessages with(UnaryOperator<EntityDescription> change) {
        return new ServiceBusMessages(builders, entity, change.apply(facts));
    }

    @Override
    public EntityDescription facts() {
        return facts;
    }

    @Override
    public Optional<Receiver> acceptNext() {
        return stopped ? Optional.empty() : Optional.of(open());
    }

    @Override
    public Optional<Receiver> accept(String session, Duration atMost) {
        return Optional.of(open());
    }

    private Receiver open() {
        var connection = enter();
        try {
            var client = entity.of(connection.client().receiver())
                    .receiveMode(ClientOptions.mode(facts))
                    .prefetchCount(facts.prefetch())
                    .disableAutoComplete()
                    .maxAutoLockRenewDuration(Duration.ZERO)
                    .buildAsyncClient();
            return new ServiceBusReceiver(client, connection, facts.path(), !facts.deletesOnReceive());
        } catch (RuntimeException e) {
            connection.condemn();
            connection.leave();
            throw e;
        }
    }

    // By a connection that has gone deaf, links can be opened without end and nothing comes.
    private Connections.Connection<ServiceBusClientBuilder> enter() {
        var connection = connections.enter();
        if (!connection.silentFor(ServiceBusSessions.DEFAULT_SILENCE)) {
            return connection;
        }
        connection.condemn();
        connection.leave();
        return connections.enter();
    }

    @Override
    public void stopAccepting() {
        stopped = true;
    }

    @Override
    public void close() {
        stopped = true;
        connections.close();
    }

    private ServiceBusClientBuilder connect() {
        return builders.get().retryOptions(ClientOptions.RETRIES);
    }
}
