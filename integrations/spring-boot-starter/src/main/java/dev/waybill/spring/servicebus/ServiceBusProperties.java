package dev.waybill.spring.servicebus;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How Service Bus is reached. Without any of these, by spring.cloud.azure.servicebus.
 *
 * @param connectionString the connection string of the namespace
 * @param namespace the host name of the namespace, such as shop.servicebus.windows.net; the credential is the bean
 *     of type TokenCredential, or that of spring.cloud.azure.credential, or Azure's default one
 * @param customEndpointAddress where the namespace is reached, such as https://localhost:5671, if that is not its
 *     host
 */
@ConfigurationProperties("waybill.servicebus")
public record ServiceBusProperties(
        @Nullable String connectionString,
        @Nullable String namespace,
        @Nullable String customEndpointAddress) {
    /** Refuses two ways at once. */
    public ServiceBusProperties {
        connectionString = given(connectionString);
        namespace = given(namespace);
        customEndpointAddress = given(customEndpointAddress);
        if (connectionString != null && namespace != null) {
            throw new IllegalArgumentException(
                    "waybill.servicebus has a connection-string and a namespace; give one of them");
        }
    }

    // An empty variable of the environment is none.
    private static @Nullable String given(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }

    boolean isGiven() {
        return connectionString != null || namespace != null;
    }
}
