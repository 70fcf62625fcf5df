/**
 * Moves dead letters from the broker into the tables, with a thread for each entity.
 *
 * <p>A turn receives, stores, commits and only then completes. After a crash the broker delivers a letter again, and the next turn finds
 * it stored. A letter that no row can take stays on the broker and delays no other.
 */
@NullMarked
package dev.waybill.deadletter.collect;

import org.jspecify.annotations.NullMarked;
