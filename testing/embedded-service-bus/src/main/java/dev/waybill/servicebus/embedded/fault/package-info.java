/**
 * Fault injection. A rule names a {@linkplain FaultPoint point} of the broker's work, selects events by entity, operation or condition,
 * chooses which of them it hits, and defines the fault:
 *
 * <pre>{@code
 * FaultHandle lost = bus.faults()
 *         .at(FaultPoint.STORED_BEFORE_ACK).entity("orders").after(10).times(1)
 *         .then(FaultAction.dropConnection());
 * }</pre>
 *
 * <p>Rules apply in order of creation. The first that hits decides, and later ones do not see the event. {@linkplain
 * FaultRule#probability Probabilities} depend on the broker's fault seed and the rule's ordinal, so equal events give equal choices.
 */
@NullMarked
package dev.waybill.servicebus.embedded.fault;

import org.jspecify.annotations.NullMarked;
