package dev.waybill.spring.servicebus;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where Service Bus is for this run, in the place of what the properties say: a container or a broker that a test
 * or a developer has started.
 */
@FunctionalInterface
public interface ServiceBusConnectionDetails extends ConnectionDetails {
    /** The connection string of the namespace; asked for with each connection. */
    String connectionString();
}
