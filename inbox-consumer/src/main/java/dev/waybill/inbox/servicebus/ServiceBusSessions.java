package dev.waybill.inbox.servicebus;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverAsyncClient;
import dev.waybill.inbox.MessageSession;
import dev.waybill.inbox.SessionSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a queue, next available first, peek-locked, without prefetch. One connection, rebuilt after a failure.
 */
public final class ServiceBusSessions implements SessionSource {
    /** How long a session's lock is renewed unless told otherwise: 5 min. */
    public static final Duration DEFAULT_LOCK_RENEWAL = Duration.ofMinutes(5);

    private static final Duration ACCEPT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SETTLE_DEADLINE = Duration.ofSeconds(10);

    private final Supplier<ServiceBusClientBuilder> connections;
    private final String queue;
    private final Duration lockRenewal;
    private @Nullable ServiceBusSessionReceiverAsyncClient client;
    private boolean closed;

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
            // The broker answers within the try timeout; the second one is for a link that was lost unnoticed.
            var receiver = accepted.get(ACCEPT_TIMEOUT.toMillis() * 3, TimeUnit.MILLISECONDS);
            return Optional.of(new ServiceBusSession(receiver, SETTLE_DEADLINE));
        } catch (ExecutionException e) {
            if (isTimeout(e.getCause())) {
                return Optional.empty();
            }
            discard(current);
            throw new IllegalStateException("No session of '" + queue + "' could be accepted", e.getCause());
        } catch (TimeoutException e) {
            accepted.cancel(true);
            discard(current);
            throw new IllegalStateException("The broker did not answer for a session of '" + queue + "'", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            client.close();
        }
    }

    private synchronized ServiceBusSessionReceiverAsyncClient client() {
        if (closed) {
            throw new IllegalStateException("The source of '" + queue + "' is closed");
        }
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
                .retryOptions(
                        new AmqpRetryOptions().setTryTimeout(ACCEPT_TIMEOUT).setMaxRetries(0))
                .sessionReceiver()
                .queueName(queue)
                .prefetchCount(0)
                .disableAutoComplete()
                .maxAutoLockRenewDuration(lockRenewal)
                .buildAsyncClient();
    }

    // The broker ends a wait for the next session with com.microsoft:timeout; the SDK passes it on in either form.
    private static boolean isTimeout(@Nullable Throwable failure) {
        return failure instanceof TimeoutException
                || (failure instanceof AmqpException amqp
                        && amqp.getErrorCondition() == AmqpErrorCondition.TIMEOUT_ERROR);
    }
}
