package dev.waybill.servicebus.publisher;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import dev.waybill.message.BrokerNames;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.servicebus.ConnectionStrings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Publishes through the Azure SDK, with one connection for each destination. After a failed send, the next send uses a new
 * connection: the SDK would hang, because it reuses a detached link (azure-sdk-for-java issue 50503). Thread-safe.
 */
public final class ServiceBusPublisher implements Publisher {
    /** The default deadline of a send, 30 s. */
    public static final Duration DEFAULT_SEND_DEADLINE = Duration.ofSeconds(30);

    private static final Duration LONGEST_SEND_DEADLINE = Duration.ofDays(1);

    /** Refused messages and throttling do not affect the connection. */
    private static final Set<Outcome> BREAKS_CONNECTION =
            Set.of(Outcome.UNAVAILABLE, Outcome.UNEXPLAINED, Outcome.DESTINATION_REFUSED);

    private final Supplier<ServiceBusClientBuilder> connections;
    private final Duration sendDeadline;
    private final Map<String, BatchMode> batches;
    private final int batchLimit;
    private final ConcurrentMap<String, Sender> senders = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, SendMeter> meters = new ConcurrentHashMap<>();

    /** Connection attempts by path. */
    private final ConcurrentMap<String, Connecting> connecting = new ConcurrentHashMap<>();

    private volatile boolean closed;

    private ServiceBusPublisher(
            Supplier<ServiceBusClientBuilder> connections,
            Duration sendDeadline,
            Map<String, BatchMode> batches,
            int batchLimit) {
        this.connections = connections;
        this.sendDeadline = sendDeadline;
        this.batches = batches;
        this.batchLimit = batchLimit;
    }

    /**
     * A publisher that connects at the first send.
     *
     * @param connections returns a new builder for each connection, with a connection string or a namespace and credential
     */
    public static ServiceBusPublisher of(Supplier<ServiceBusClientBuilder> connections) {
        return new ServiceBusPublisher(connections, DEFAULT_SEND_DEADLINE, Map.of(), Integer.MAX_VALUE);
    }

    /** A publisher for the namespace of a connection string. */
    public static ServiceBusPublisher of(String connectionString) {
        return of(ConnectionStrings.builders(connectionString));
    }

    /**
     * Sets the deadline of a send. After it, messages count as not accepted and are sent again. Default: 30 s.
     *
     * @throws IllegalArgumentException unless the deadline is positive and at most 1 day
     */
    public ServiceBusPublisher withSendDeadline(Duration deadline) {
        Objects.requireNonNull(deadline, "The deadline of a send must not be null");
        if (deadline.compareTo(Duration.ZERO) <= 0 || deadline.compareTo(LONGEST_SEND_DEADLINE) > 0) {
            throw new IllegalArgumentException(
                    "The deadline of a send is more than zero and at most 1 day, not " + deadline);
        }
        return new ServiceBusPublisher(connections, deadline, batches, batchLimit);
    }

    /** Sets the batches of a destination. Default: {@link BatchMode#MIXED}. */
    public ServiceBusPublisher withBatches(String destination, BatchMode batches) {
        var changed = new HashMap<>(this.batches);
        changed.put(destination, batches);
        return new ServiceBusPublisher(connections, sendDeadline, Map.copyOf(changed), batchLimit);
    }

    /**
     * Limits the messages in a batch. A lost acknowledgement repeats a batch, so smaller batches repeat less but need more
     * sends. Default: as many as fit.
     *
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public ServiceBusPublisher withBatchLimit(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("A batch needs room for at least 1 message, not " + messages);
        }
        return new ServiceBusPublisher(connections, sendDeadline, batches, messages);
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        if (closed) {
            return CompletableFuture.completedFuture(PublishResult.failed(0, afterTheEnd()));
        }
        String path = path(shipment);
        return Mono.defer(() -> sender(path, batches(shipment)))
                .flatMap(sender -> sender.send(shipment).doOnNext(result -> {
                    if (BREAKS_CONNECTION.contains(result.outcome())) {
                        discard(path, sender);
                    }
                }))
                .onErrorResume(failure -> Mono.just(new PublishResult(0, Outcomes.ofConnect(failure), failure)))
                .map(Reasons::named)
                .toFuture();
    }

    private static String path(Shipment shipment) {
        @Nullable Entity entity = shipment.entity();
        return entity == null ? shipment.destination() : entity.path();
    }

    private BatchMode batches(Shipment shipment) {
        @Nullable Entity entity = shipment.entity();
        return entity != null && entity.partitioned()
                ? BatchMode.PER_SESSION
                : batches.getOrDefault(path(shipment), batches.getOrDefault(shipment.destination(), BatchMode.MIXED));
    }

    @Override
    public boolean followsEntities() {
        return true;
    }

    /** The host of the namespace, and the entity. */
    @Override
    public String place(String destination) {
        try (ServiceBusSenderAsyncClient unconnected = client(destination)) {
            return unconnected.getFullyQualifiedNamespace().toLowerCase(Locale.ROOT) + "/"
                    + BrokerNames.key(destination);
        } catch (RuntimeException e) {
            // The first send says why.
            return "";
        }
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        if (closed) {
            return CompletableFuture.completedFuture(true);
        }
        return Mono.defer(() -> sender(destination, batches.getOrDefault(destination, BatchMode.MIXED)))
                .flatMap(sender -> sender.open().doOnError(failure -> discard(destination, sender)))
                .toFuture();
    }

    /** Counts by destination since the publisher was created. */
    public Map<String, SendCount> counts() {
        var counts = new TreeMap<String, SendCount>();
        meters.forEach((destination, meter) -> counts.put(destination, meter.count()));
        return counts;
    }

    private SendMeter meter(String destination) {
        return meters.computeIfAbsent(destination, name -> new SendMeter());
    }

    @Override
    public Duration longestSend() {
        return sendDeadline;
    }

    @Override
    public void close() {
        closed = true;
        senders.forEach(this::discard);
    }

    private Mono<Sender> sender(String path, BatchMode divided) {
        @Nullable Sender connected = senders.get(path);
        if (connected != null) {
            return Mono.fromSupplier(() -> unlessClosed(path, connected));
        }
        var attempts = connecting.computeIfAbsent(path, unknown -> new Connecting(sendDeadline, System::nanoTime));
        // Not cancelled with one waiting sender, because others may wait too.
        return Mono.fromFuture(attempts.join(() -> connected(path, divided)), true);
    }

    // On a separate thread, because connecting may block, as for credentials.
    private Sender connected(String path, BatchMode divided) {
        @Nullable Sender connected = senders.get(path);
        if (connected != null) {
            return connected;
        }
        if (closed) {
            throw afterTheEnd();
        }
        Sender made = connect(path, divided);
        @Nullable Sender sooner = senders.putIfAbsent(path, made);
        if (sooner != null) {
            // This attempt timed out, and a later one has connected.
            made.close();
            return sooner;
        }
        return unlessClosed(path, made);
    }

    // A concurrent close does not see a sender that is being created.
    private Sender unlessClosed(String path, Sender sender) {
        if (closed) {
            discard(path, sender);
            throw afterTheEnd();
        }
        return sender;
    }

    private static IllegalStateException afterTheEnd() {
        return new IllegalStateException("The publisher is closed");
    }

    private Sender connect(String destination, BatchMode divided) {
        return new Sender(client(destination), sendDeadline, divided, batchLimit, meter(destination));
    }

    private ServiceBusSenderAsyncClient client(String destination) {
        // No retries in the SDK: the relay retries with its own back-off, from the database.
        var retries = new AmqpRetryOptions().setTryTimeout(sendDeadline).setMaxRetries(0);
        ServiceBusClientBuilder builder = connections.get();
        try {
            return builder.retryOptions(retries).sender().queueName(destination).buildAsyncClient();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new Misconfigured(destination, e);
        }
    }

    private void discard(String destination, Sender sender) {
        if (senders.remove(destination, sender)) {
            sender.close();
        }
    }
}
