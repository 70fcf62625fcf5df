/**
 * An Azure Service Bus for tests and demonstrations, in the same process: {@link EmbeddedServiceBus} speaks its AMQP
 * dialect, lets faults happen at will, and shows what it saw.
 */
@NullMarked
package dev.waybill.servicebus.embedded;

import org.jspecify.annotations.NullMarked;
