/**
 * The configuration of a broker: the settings of its queues, topics and subscriptions, as immutable values that
 * check themselves. A setting's method returns a changed copy, so settings can be shared and derived.
 */
@NullMarked
package dev.waybill.servicebus.embedded.config;

import org.jspecify.annotations.NullMarked;
