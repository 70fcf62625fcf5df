/**
 * Faults at will. A rule names a {@linkplain FaultPoint point} of the broker's work, narrows it by entity, operation or
 * condition, chooses which of the matching events it hits, and says what happens there:
 *
 * <pre>{@code
 * FaultHandle lost = bus.faults()
 *         .at(FaultPoint.STORED_BEFORE_ACK).entity("orders").after(10).times(1)
 *         .then(FaultAction.dropConnection());
 * }</pre>
 *
 * <p>Rules are asked in the order in which they were made; the first one that hits decides what happens, and later ones
 * do not see the event. Choices by {@linkplain FaultRule#probability probability} come from the broker's fault
 * seed and the rule's ordinal, so a run with the same events makes the same choices.
 */
@NullMarked
package dev.waybill.servicebus.embedded.fault;

import org.jspecify.annotations.NullMarked;
