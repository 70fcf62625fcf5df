package dev.waybill.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * How Service Bus is reached. Without any of these, by spring.cloud.azure.servicebus.
 *
 * @param connectionString the connection string of the namespace
 * @param namespace the host name of the namespace, such as shop.servicebus.windows.net; the credential is the bean of type
 *     TokenCredential, or Azure's default one
 */
public record ServiceBusProperties(@Nullable String connectionString, @Nullable String namespace) {
    /** Refuses two ways at once. */
    public ServiceBusProperties {
        connectionString = given(connectionString);
        namespace = given(namespace);
        Requirement.that(
                connectionString == null || namespace == null,
                "waybill.servicebus has a connection-string and a namespace; give one of them");
    }

    // An empty variable of the environment is none.
    private static @Nullable String given(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }
}
