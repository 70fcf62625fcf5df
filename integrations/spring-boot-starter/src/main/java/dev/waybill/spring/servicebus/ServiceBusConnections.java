package dev.waybill.spring.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.util.function.Supplier;

/**
 * How Waybill reaches Service Bus. Makes a new builder at each call, with the connection string or the namespace
 * and credential set. A bean of this type replaces what the properties say.
 */
@FunctionalInterface
public interface ServiceBusConnections extends Supplier<ServiceBusClientBuilder> {
    /**
     * Makes a builder to see whether that can be done. Connects to nobody.
     *
     * @throws IllegalStateException if nobody has said where Service Bus is
     */
    default void check() {
        var unused = get();
    }
}
