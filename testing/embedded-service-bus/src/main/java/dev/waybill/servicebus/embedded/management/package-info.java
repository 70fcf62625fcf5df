/**
 * The operations of an entity's {@code $management} node: peek, receive deferred messages, renew locks, schedule,
 * settle by token, and keep session state. Requests and answers are maps, as AMQP carries them.
 */
@NullMarked
package dev.waybill.servicebus.embedded.management;

import org.jspecify.annotations.NullMarked;
