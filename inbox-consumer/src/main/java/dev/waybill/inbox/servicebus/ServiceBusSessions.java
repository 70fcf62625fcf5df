package dev.waybill.inbox.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverAsyncClient;
import dev.waybill.inbox.MessageSession;
import dev.waybill.inbox.SessionSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a queue, next available first, peek-locked, without prefetch. One connection, rebuilt after a failure.
 */
public final class ServiceBusSessions implements SessionSource {
    /** How long a session's lock is renewed unless told otherwise: 5 min. */
    public static final Duration DEFAULT_LOCK_RENEWAL = Duration.ofMinutes(5);

    // Also how long the broker holds a wait for a session before the SDK asks anew.
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration SETTLE_DEADLINE = Duration.ofSeconds(10);

    private final Supplier<ServiceBusClientBuilder> connections;
    private final String queue;
    private final Duration lockRenewal;
    private @Nullable ServiceBusSessionReceiverAsyncClient client;
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();

    private ServiceBusSessions(Supplier<ServiceBusClientBuilder> connections, String queue, Duration lockRenewal) {
        this.connections = connections;
        this.queue = queue;
        this.lockRenewal = lockRenewal;
    }

    /**
     * Sessions of a queue.
     *
     * @param connections makes a new builder, with the connection string or the namespace and credential set; called once
     *     per connection
     */
    public static ServiceBusSessions ofQueue(Supplier<ServiceBusClientBuilder> connections, String queue) {
        return new ServiceBusSessions(connections, queue, DEFAULT_LOCK_RENEWAL);
    }

    /** The same with the lock renewed for longer or shorter: the longest a message may take with all its retries. */
    public ServiceBusSessions withLockRenewal(Duration lockRenewal) {
        return new ServiceBusSessions(connections, queue, lockRenewal);
    }

    @Override
    public Optional<MessageSession> acceptNext() throws InterruptedException {
        var current = client();
        CompletableFuture<ServiceBusReceiverAsyncClient> accepted =
                current.acceptNextSession().toFuture();
        try {
            CompletableFuture.anyOf(accepted, stopped).get();
            if (!accepted.isDone()) {
                accepted.cancel(true);
                return Optional.empty();
            }
            return Optional.of(new ServiceBusSession(accepted.join(), SETTLE_DEADLINE));
        } catch (ExecutionException e) {
            discard(current);
            throw new IllegalStateException("No session of '" + queue + "' could be accepted", e.getCause());
        }
    }

    @Override
    public void stopAccepting() {
        stopped.complete(null);
    }

    @Override
    public synchronized void close() {
        stopAccepting();
        if (client != null) {
            client.close();
        }
    }

    private synchronized ServiceBusSessionReceiverAsyncClient client() {
        if (client == null) {
            client = connect();
        }
        return client;
    }

    private synchronized void discard(ServiceBusSessionReceiverAsyncClient broken) {
        if (client == broken) {
            client = null;
            broken.close();
        }
    }

    private ServiceBusSessionReceiverAsyncClient connect() {
        return connections
                .get()
                .retryOptions(new AmqpRetryOptions().setTryTimeout(TRY_TIMEOUT).setMaxRetries(0))
                .sessionReceiver()
                .queueName(queue)
                .prefetchCount(0)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(lockRenewal)
                .buildAsyncClient();
    }
}
