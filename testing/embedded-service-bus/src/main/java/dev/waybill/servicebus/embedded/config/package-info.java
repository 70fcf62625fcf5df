/**
 * The settings of queues, topics and subscriptions: immutable values that validate themselves. A method that changes a setting returns
 * a copy.
 */
@NullMarked
package dev.waybill.servicebus.embedded.config;

import org.jspecify.annotations.NullMarked;
