/**
 * The broker's journal: every stored message, dropped duplicate, delivery and settlement, by entity and in order. Records are small and
 * immutable, and hold no bodies. Each list is bounded and counts the records it has dropped.
 */
@NullMarked
package dev.waybill.servicebus.embedded.journal;

import org.jspecify.annotations.NullMarked;
