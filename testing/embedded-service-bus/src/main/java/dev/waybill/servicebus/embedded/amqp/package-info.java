/**
 * AMQP 1.0 as Service Bus speaks it: connections, links, and the translation between protocol and state.
 *
 * <p>Each {@link AmqpConnection} feeds bytes to a protocol engine and its events to the {@link LinkHandler} of the link
 * concerned. A link's kind is decided once, when it is attached: a sender to an entity, a receiver from one (perhaps
 * after waiting for a session), or half of a request-response pair. Every step at which a fault can be injected runs
 * through the {@link FaultGate}.
 */
@NullMarked
package dev.waybill.servicebus.embedded.amqp;

import org.jspecify.annotations.NullMarked;
