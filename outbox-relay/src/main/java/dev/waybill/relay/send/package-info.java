/**
 * Sends rows. A lane has the rows of some sessions in order, with one batch in flight. Batches and results are values. Each
 * destination has a circuit breaker.
 */
@NullMarked
package dev.waybill.relay.send;

import org.jspecify.annotations.NullMarked;
