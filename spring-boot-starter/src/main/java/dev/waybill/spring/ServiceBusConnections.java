package dev.waybill.spring;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import java.util.function.Supplier;

/**
 * How Waybill reaches Service Bus. Makes a new builder at each call, with the connection string or the namespace and
 * credential set. A bean of this type replaces what the properties say.
 */
@FunctionalInterface
public interface ServiceBusConnections extends Supplier<ServiceBusClientBuilder> {}
