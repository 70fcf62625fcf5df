/**
 * Waybill's messages on Azure Service Bus: how a message is written for the Azure SDK and read from it, the types of AMQP that
 * Java has not, and a buffer for what an asynchronous receiver brings.
 *
 * <pre>
 *   outbox-relay:   Publisher ◀── publisher ──┐
 *                                             ├──▶ servicebus ──▶ Azure SDK
 *   inbox-consumer: Receiver  ◀── receiver ───┘
 * </pre>
 *
 * <p>The publisher, the receiver and the dead letters build on this package; applications need only the first two.
 */
@NullMarked
package dev.waybill.servicebus;

import org.jspecify.annotations.NullMarked;
