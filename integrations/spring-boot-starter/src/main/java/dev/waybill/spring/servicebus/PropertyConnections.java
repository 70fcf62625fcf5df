package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.servicebus.ConnectionStrings;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * Service Bus as the properties say: Waybill's own, or else those of Spring Cloud Azure, whose transport and proxy always count.
 * Thread-safe.
 */
final class PropertyConnections implements ServiceBusConnections {
    private static final Pattern HOST = Pattern.compile("localhost|[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9-]+)+");
    private static final Logger LOG = LoggerFactory.getLogger(PropertyConnections.class);
    private static final String AZURE = "spring.cloud.azure.servicebus.";

    private final ServiceBusProperties properties;
    private final Supplier<TokenCredential> credentials;
    private final AzureNetwork network;
    private @Nullable TokenCredential credential;

    PropertyConnections(ServiceBusProperties own, Environment environment, Supplier<TokenCredential> credentials) {
        properties = merged(own, azures(environment));
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

    // An endpoint belongs to its namespace, whichever of the two names it.
    private static ServiceBusProperties merged(ServiceBusProperties own, ServiceBusProperties azures) {
        ServiceBusProperties located = own.isGiven() ? own : azures;
        @Nullable String endpoint = own.customEndpointAddress();
        if (endpoint == null && (!own.isGiven() || !azures.isGiven() || sameNamespace(own, azures))) {
            endpoint = azures.customEndpointAddress();
        }
        if (endpoint == null && azures.customEndpointAddress() != null) {
            LOG.warn(
                    "Relay and consumers do not use {}custom-endpoint-address, which belongs to another namespace than"
                            + " waybill.servicebus names; give waybill.servicebus.custom-endpoint-address, if there is one",
                    AZURE);
        }
        return new ServiceBusProperties(located.connectionString(), located.namespace(), endpoint);
    }

    private static boolean sameNamespace(ServiceBusProperties one, ServiceBusProperties other) {
        return one.namespace() != null && one.namespace().equalsIgnoreCase(other.namespace());
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
