package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.servicebus.ConnectionStrings;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Service Bus as the properties say: Waybill's own, or else those of Spring Cloud Azure, whose transport and proxy always count.
 * Thread-safe.
 */
final class PropertyConnections implements ServiceBusConnections {
    private static final Pattern HOST = Pattern.compile("localhost|[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9-]+)+");
    private static final String AZURE = "spring.cloud.azure.servicebus.";

    private final ServiceBusProperties properties;
    private final Supplier<TokenCredential> credentials;
    private final AzureNetwork network;
    private @Nullable TokenCredential credential;

    PropertyConnections(ServiceBusProperties own, Environment environment, Supplier<TokenCredential> credentials) {
        properties = own.isGiven() ? own : azures(environment);
        this.credentials = credentials;
        network = new AzureNetwork(environment);
        if (properties.connectionString() != null) {
            ConnectionStrings.require(properties.connectionString());
        }
        String host = properties.namespace();
        if (host != null && !HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("The namespace '" + host
                    + "' is no host name: give waybill.servicebus.namespace such as shop.servicebus.windows.net");
        }
    }

    private static ServiceBusProperties azures(Environment environment) {
        String connectionString = environment.getProperty(AZURE + "connection-string");
        // Spring Cloud Azure prefers it, too.
        return new ServiceBusProperties(
                connectionString,
                connectionString == null || connectionString.isBlank() ? hostName(environment) : null,
                environment.getProperty(AZURE + "custom-endpoint-address"));
    }

    private static @Nullable String hostName(Environment environment) {
        String name = environment.getProperty(AZURE + "namespace");
        if (name == null || name.isBlank() || name.contains(".")) {
            return name;
        }
        return name + "." + environment.getProperty(AZURE + "domain-name", new AzureProperties(environment).domain());
    }

    @Override
    public ServiceBusClientBuilder get() {
        ServiceBusClientBuilder builder = network.applyTo(located(new ServiceBusClientBuilder()));
        return properties.customEndpointAddress() == null
                ? builder
                : builder.customEndpointAddress(properties.customEndpointAddress());
    }

    private ServiceBusClientBuilder located(ServiceBusClientBuilder builder) {
        if (properties.connectionString() != null) {
            return builder.connectionString(properties.connectionString());
        }
        if (properties.namespace() != null) {
            return builder.credential(properties.namespace(), credential());
        }
        throw new IllegalStateException("Waybill does not know the Service Bus namespace: set"
                + " waybill.servicebus.connection-string or .namespace, or those of spring.cloud.azure.servicebus");
    }

    // One for all connections: it keeps its tokens.
    private synchronized TokenCredential credential() {
        if (credential == null) {
            credential = credentials.get();
        }
        return credential;
    }
}
