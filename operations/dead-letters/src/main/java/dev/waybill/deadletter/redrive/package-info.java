/**
 * Runs of re-drives: planned, begun over pages of ids, and taken in steps.
 *
 * <ol>
 *   <li>A run is begun only if each of its letters can be sent, and each destination has a relay or a consumer.
 *   <li>A step is one transaction: copies, states, audit and the position of the run. A repeated step re-drives nothing twice.
 *   <li>Copies go to the outbox, or to the hold of the consumer that failed. Nothing here calls the broker.
 *   <li>The order is that of the first enqueuing, however often a message has died since.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.redrive;

import org.jspecify.annotations.NullMarked;
