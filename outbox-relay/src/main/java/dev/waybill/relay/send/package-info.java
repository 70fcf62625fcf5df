/**
 * Messages on their way to the broker.
 *
 * <p>A lane holds the rows of some sessions in order and has one batch in flight. A batch goes out as a value and its result comes back
 * as a value. A circuit breaker for each destination spaces what fails.
 */
@NullMarked
package dev.waybill.relay.send;

import org.jspecify.annotations.NullMarked;
