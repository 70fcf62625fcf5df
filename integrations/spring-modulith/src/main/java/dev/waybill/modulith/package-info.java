/**
 * Spring Modulith's externalized events through the outbox. An event with {@code @Externalized("orders::#{customer}")} is appended to
 * {@code orders}, with the customer as session, in the transaction that publishes it: by a plain listener, so neither Modulith's event
 * registry nor a thread takes part.
 */
@NullMarked
package dev.waybill.modulith;

import org.jspecify.annotations.NullMarked;
