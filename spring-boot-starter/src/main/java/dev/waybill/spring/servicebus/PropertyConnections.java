package dev.waybill.spring.servicebus;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/** Service Bus as the properties say: Waybill's own, or else those of Spring Cloud Azure. Thread-safe. */
final class PropertyConnections implements ServiceBusConnections {
    private static final String AZURE = "spring.cloud.azure.servicebus.";

    private final @Nullable String connectionString;
    private final @Nullable String namespace;
    private final ObjectProvider<TokenCredential> credentials;
    private @Nullable TokenCredential credential;

    PropertyConnections(
            ServiceBusProperties properties, Environment environment, ObjectProvider<TokenCredential> credentials) {
        boolean own = properties.connectionString() != null || properties.namespace() != null;
        connectionString = own ? properties.connectionString() : environment.getProperty(AZURE + "connection-string");
        namespace = own ? properties.namespace() : hostName(environment);
        this.credentials = credentials;
    }

    private static @Nullable String hostName(Environment environment) {
        String name = environment.getProperty(AZURE + "namespace");
        if (name == null || name.contains(".")) {
            return name;
        }
        return name + "." + environment.getProperty(AZURE + "domain-name", "servicebus.windows.net");
    }

    @Override
    public ServiceBusClientBuilder get() {
        if (connectionString != null) {
            return new ServiceBusClientBuilder().connectionString(connectionString);
        }
        if (namespace != null) {
            return new ServiceBusClientBuilder().credential(namespace, credential());
        }
        throw new IllegalStateException("Waybill does not know the Service Bus namespace: set"
                + " waybill.servicebus.connection-string or .namespace, or those of spring.cloud.azure.servicebus");
    }

    // One for all connections: it keeps its tokens.
    private synchronized TokenCredential credential() {
        if (credential == null) {
            TokenCredential given = credentials.getIfUnique();
            credential = given != null ? given : new DefaultAzureCredentialBuilder().build();
        }
        return credential;
    }
}
