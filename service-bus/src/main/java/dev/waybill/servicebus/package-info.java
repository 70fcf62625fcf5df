/**
 * Waybill's messages on Azure Service Bus: how a message is written for the Azure SDK and read from it, the types of AMQP that
 * Java has not, and a buffer for what an asynchronous receiver brings.
 *
 * <p>The relay, the consumer and the dead letters build on this package; applications do not need it.
 */
@NullMarked
package dev.waybill.servicebus;

import org.jspecify.annotations.NullMarked;
