/**
 * The operations of an entity's {@code $management} node: peek, receive deferred messages, renew locks, schedule, settle by token, and
 * session state. Requests and answers are maps, as in AMQP.
 */
@NullMarked
package dev.waybill.servicebus.embedded.management;

import org.jspecify.annotations.NullMarked;
