/** Sends rows. A lane has one batch in flight, in order. Each destination has a circuit breaker. */
@NullMarked
package dev.waybill.relay.send;

import org.jspecify.annotations.NullMarked;
