/**
 * An Azure Service Bus in the test's process: {@link EmbeddedServiceBus} speaks its AMQP dialect, injects faults and records what it
 * did.
 */
@NullMarked
package dev.waybill.servicebus.embedded;

import org.jspecify.annotations.NullMarked;
