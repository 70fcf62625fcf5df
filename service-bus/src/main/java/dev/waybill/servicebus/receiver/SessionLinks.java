package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverAsyncClient;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.MessageSource.ReceiveException;
import dev.waybill.inbox.Receiver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accepts the sessions of an entity, with a connection for 100 sessions, replaced after a failure or long silence. */
final class SessionLinks implements MessageSource {
    private static final int SESSIONS_PER_CONNECTION = 100;

    private final Supplier<ServiceBusClientBuilder> builders;
    private final Entity entity;
    private final EntityDescription facts;
    private final Duration silence;
    private final Connections<ServiceBusSessionReceiverAsyncClient> connections;
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();

    SessionLinks(Supplier<ServiceBusClientBuilder> builders, Entity entity, EntityDescription facts, Duration silence) {
        this.builders = builders;
        this.entity = entity;
        this.facts = facts;
        this.silence = silence;
        connections = new Connections<>(
                facts.path(), this::connect, ServiceBusSessionReceiverAsyncClient::close, SESSIONS_PER_CONNECTION);
    }

    @Override
    public EntityDescription facts() {
        return facts;
    }

    @Override
    public Optional<Receiver> acceptNext() throws InterruptedException {
        while (!stopped.isDone()) {
            var connection = connections.enter();
            var accepting = connection.client().acceptNextSession().toFuture();
            Optional<Receiver> accepted = new Acceptance(connection, accepting).await();
            if (accepted.isPresent()) {
                return accepted;
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<Receiver> accept(String session, Duration atMost) throws InterruptedException {
        var connection = connections.enter();
        var accepting = connection.client().acceptSession(session).toFuture();
        return new Acceptance(connection, accepting).await(atMost);
    }

    @Override
    public void stopAccepting() {
        stopped.complete(null);
    }

    @Override
    public void close() {
        stopAccepting();
        connections.close();
    }

    private ServiceBusSessionReceiverAsyncClient connect() {
        return entity.of(builders.get().retryOptions(ClientOptions.RETRIES).sessionReceiver())
                .receiveMode(ClientOptions.mode(facts))
                .prefetchCount(facts.prefetch())
                .disableAutoComplete()
                .maxAutoLockRenewDuration(Duration.ZERO)
                .buildAsyncClient();
    }

    private final class Acceptance {
        private final Connections.Connection<?> connection;
        private final CompletableFuture<ServiceBusReceiverAsyncClient> accepting;

        Acceptance(Connections.Connection<?> connection, CompletableFuture<ServiceBusReceiverAsyncClient> accepting) {
            this.connection = connection;
            this.accepting = accepting;
        }

        /** Empty after a stop or a long silence of the connection. */
        Optional<Receiver> await() throws InterruptedException {
            while (true) {
                try {
                    CompletableFuture.anyOf(accepting, stopped).get(silence.toNanos(), TimeUnit.NANOSECONDS);
                    return accepting.isDone() ? Optional.of(receiver()) : release();
                } catch (TimeoutException e) {
                    if (connection.silentFor(silence)) {
                        return retire();
                    }
                } catch (ExecutionException e) {
                    throw failed(e.getCause());
                } catch (InterruptedException e) {
                    retire();
                    throw e;
                }
            }
        }

        /** Empty if another receiver has the session, or after the timeout. */
        Optional<Receiver> await(Duration atMost) throws InterruptedException {
            try {
                accepting.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
                return Optional.of(receiver());
            } catch (TimeoutException e) {
                return release();
            } catch (ExecutionException e) {
                if (Settlement.isSessionTaken(e)) {
                    connection.leave();
                    return Optional.empty();
                }
                throw failed(e.getCause());
            } catch (InterruptedException e) {
                release();
                throw e;
            }
        }

        private Receiver receiver() {
            connection.heard();
            return new ServiceBusReceiver(accepting.join(), connection, facts.path(), !facts.deletesOnReceive());
        }

        // Without a cancel the SDK requests sessions forever. An abandoned session may stay locked (azure-sdk-for-java
        // issue 49093) until the connection closes with its last user.
        private Optional<Receiver> retire() {
            connection.retire();
            if (!accepting.cancel(true) && !accepting.isCompletedExceptionally()) {
                accepting.join().close();
            }
            connection.leave();
            return Optional.empty();
        }

        // Briefly: the connection is about to close, or the broker responds at last.
        private Optional<Receiver> release() {
            var unused = accepting.whenComplete((receiver, failure) -> {
                if (receiver != null) {
                    receiver.close();
                }
                connection.leave();
            });
            return Optional.empty();
        }

        private ReceiveException failed(@Nullable Throwable cause) {
            connection.retire();
            connection.leave();
            return new ReceiveException("No session of '" + facts.path() + "' could be accepted", cause);
        }
    }
}
