/**
 * Runs of re-drives: planned, begun over pages of ids, and taken in steps.
 *
 * <p>A run begins only if each letter can be sent. A step is one transaction of copies, states, audit and position: repeating it
 * re-drives nothing twice. Copies go to the outbox, or to the hold of the consumer that failed; nothing here calls the broker.
 */
@NullMarked
package dev.waybill.deadletter.redrive;

import org.jspecify.annotations.NullMarked;
