package dev.waybill.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.util.Objects;
import java.util.function.Supplier;

/** Builders of clients by a connection string alone. */
public final class ConnectionStrings {
    private ConnectionStrings() {}

    /**
     * Makes a new builder at each call.
     *
     * @throws IllegalArgumentException at once, if it is no connection string
     */
    public static Supplier<ServiceBusClientBuilder> builders(String connectionString) {
        Objects.requireNonNull(connectionString, "connectionString");
        Supplier<ServiceBusClientBuilder> builders =
                () -> new ServiceBusClientBuilder().connectionString(connectionString);
        var unused = builders.get();
        return builders;
    }
}
