/**
 * One loop for all destinations of a relay, and the threads around it.
 *
 * <pre>
 *   turn:  take back results ──▶ settle ──▶ claim, give up ──▶ read ──▶ held messages ──▶ send
 * </pre>
 *
 * <p>A turn is a plain method that tests call. Reads and settles run on a thread of their own, and publishers answer on theirs; each
 * wakes the loop with what it has brought. All that is remembered belongs to the loop's thread.
 *
 * <ol>
 *   <li>One read or settle is under way at a time, on one connection.
 *   <li>A read brings no row that was in memory when it began. So a settle that ends before the next read begins has taken its rows
 *       out of that one's sight.
 *   <li>Rows move to holds only while no read is under way: one that began before would not show the hold.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.loop;

import org.jspecify.annotations.NullMarked;
