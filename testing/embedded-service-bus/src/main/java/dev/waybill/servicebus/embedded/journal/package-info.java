/**
 * The journal of the broker: every message stored, every send dropped as a duplicate, every delivery and every
 * settlement, by entity and in the order in which they happened. Records are small, immutable and do not hold on
 * to bodies; each list is bounded, and says how many of its oldest records it has forgotten.
 */
@NullMarked
package dev.waybill.servicebus.embedded.journal;

import org.jspecify.annotations.NullMarked;
