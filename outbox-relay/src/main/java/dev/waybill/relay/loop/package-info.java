/**
 * One loop for all destinations of a relay, and the threads around it.
 *
 * <pre>
 *   turn:  collect results ──▶ settle ──▶ claim, release ──▶ read ──▶ held messages ──▶ send
 * </pre>
 *
 * <p>A turn is a plain method that tests call. Reads and settles run on another thread, and publishers complete on theirs; each
 * wakes the loop with its result. All memory is confined to the loop's thread.
 *
 * <ol>
 *   <li>One read or settle runs at a time, on one connection.
 *   <li>A read excludes rows that were in memory when it began. So a settle that ends before a read hides its rows from it.
 *   <li>Rows move to holds only while no read runs, because an earlier read would not see the hold.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.loop;

import org.jspecify.annotations.NullMarked;
