package dev.waybill.walletforge.servicebus;

import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.relay.Publisher;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where a Service Bus is and how to sign in: a connection string, or the host name of a namespace, which is then reached
 * with the identity of the environment (managed identity, workload identity, developer's sign-in).
 */
public record ServiceBusAddress(String value) {
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9-]+)+");

    /** Refuses what is neither, without repeating it: it may hold a key. */
    public ServiceBusAddress {
        if (!value.contains("Endpoint=") && !HOST_NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("neither a connection string (Endpoint=...;SharedAccessKey=...) nor a"
                    + " namespace's host name (name.servicebus.windows.net)");
        }
    }

    /** A way to send that gives up a send after the deadline; what is sent again is then a duplicate for the broker. */
    public Publisher publisher(Duration sendDeadline) {
        return ServiceBusPublisher.of(this::connections).withSendDeadline(sendDeadline);
    }

    /** A queue, for a consumer. */
    public ServiceBusSource queue(String name) {
        return ServiceBusSource.ofQueue(this::connections, name);
    }

    /** A subscription to the events, for a consumer. */
    public ServiceBusSource subscription(String name) {
        return ServiceBusSource.ofSubscription(this::connections, Entities.WALLET_EVENTS, name);
    }

    /** The dead letters of {@code wallet-tx}. */
    public DeadLetterQueue deadLetters() {
        return ServiceBusDeadLetters.ofQueue(this::connections, Entities.WALLET_TX);
    }

    ServiceBusClientBuilder connections() {
        var builder = new ServiceBusClientBuilder();
        return value.contains("Endpoint=")
                ? builder.connectionString(value)
                : builder.fullyQualifiedNamespace(value).credential(new DefaultAzureCredentialBuilder().build());
    }

    /** Not the value, which may hold a key. */
    @Override
    public String toString() {
        return value.contains("Endpoint=") ? "connection string" : value;
    }
}
