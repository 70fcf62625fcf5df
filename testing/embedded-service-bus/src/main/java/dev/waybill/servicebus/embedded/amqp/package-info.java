/**
 * AMQP 1.0 in Service Bus's dialect: connections, links, and the translation between protocol and state.
 *
 * <p>Each {@link AmqpConnection} feeds bytes to a protocol engine, and its events to the {@link LinkHandler} of their link. The attach
 * decides a link's kind: a sender, a receiver (perhaps after waiting for a session), or half of a request-response pair. Every step
 * with a fault point passes the {@link FaultGate}.
 */
@NullMarked
package dev.waybill.servicebus.embedded.amqp;

import org.jspecify.annotations.NullMarked;
