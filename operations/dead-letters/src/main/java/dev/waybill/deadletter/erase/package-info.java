/**
 * Removes every copy of messages that orders name.
 *
 * <ol>
 *   <li>The orders are committed, and on the disk, before anything is removed.
 *   <li>Transactions that passed {@code erasure_gate} before the commit have not seen the orders. The eraser waits for their end.
 *   <li>A pass visits the tables in the order in which messages move through them. Passes repeat until one finds nothing.
 *   <li>An erasure that was interrupted is repeated with the same call.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.erase;

import org.jspecify.annotations.NullMarked;
