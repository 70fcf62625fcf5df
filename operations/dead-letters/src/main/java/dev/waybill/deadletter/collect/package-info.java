/**
 * Moves dead letters from the broker into the tables, with one thread for each entity.
 *
 * <ol>
 *   <li>A turn receives, stores, commits and only then completes. After a crash the broker delivers a letter again, and the turn
 *       finds it stored.
 *   <li>A letter that no row can take stays on the broker and delays no other.
 *   <li>Completions go to the broker while the next letters are received.
 *   <li>A turn that fails is logged and recorded; the thread backs off and takes the next turn.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.collect;

import org.jspecify.annotations.NullMarked;
