package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.MessageSource.ReceiveException;
import dev.waybill.inbox.Receiver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Receives from an entity without sessions: one link for each worker, one connection for 100 links. */
final class MessageLinks implements MessageSource {
    private static final int LINKS_PER_CONNECTION = 100;

    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private final EntityDescription facts;
    private final Duration silence;
    private final Connections<ServiceBusClientBuilder> connections;
    private volatile boolean stopped;

    MessageLinks(Supplier<ServiceBusClientBuilder> builders, Entity entity, EntityDescription facts, Duration silence) {
        this.builders = builders;
        this.entity = entity;
        this.facts = facts;
        this.silence = silence;
        // Clients of one builder share its connection, which closes with the last client.
        connections = new Connections<>(facts.path(), this::connect, builder -> {}, LINKS_PER_CONNECTION);
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
            connection.retire();
            connection.leave();
            throw new ReceiveException("Nothing can be received from '" + facts.path() + "'", e);
        }
    }

    // A dead connection would accept new links without ever delivering a message.
    private Connections.Connection<ServiceBusClientBuilder> enter() {
        var connection = connections.enter();
        if (!connection.silentFor(silence)) {
            return connection;
        }
        connection.retire();
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
