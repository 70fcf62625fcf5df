package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.util.Objects;
import java.util.function.Supplier;

/** Builders of clients from a connection string. */
public final class ConnectionStrings {
    private ConnectionStrings() {}

    /** Returns a factory of new builders. Throws an {@link IllegalArgumentException} at once if the string is invalid. */
    public static Supplier<ServiceBusClientBuilder> builders(String connectionString) {
        Objects.requireNonNull(connectionString, "connectionString");
        Supplier<ServiceBusClientBuilder> builders =
                () -> new ServiceBusClientBuilder().connectionString(connectionString);
        var unused = builders.get();
        return builders;
    }
}
