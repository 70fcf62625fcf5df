/**
 * What operators order of a destination, to all relays at the same time: pause and resume, and the move to another entity. Each
 * order is a change of the destination's row in {@code outbox_destination}, which the relays read with their messages.
 */
@NullMarked
package dev.waybill.relay.destination;

import org.jspecify.annotations.NullMarked;
