/**
 * Records the id of a message in the transaction of its effects.
 *
 * <p>In comes a message on an open transaction; out goes what the database knows of it: whether it is new, whether it waits behind a
 * hold, and whether a deferred message of its session is resumed.
 *
 * <ol>
 *   <li>The session is locked first, then the id is recorded, then the rest is asked: a statement of its own sees what was committed
 *       while the ones before it waited.
 *   <li>An owner that has been succeeded records nothing.
 *   <li>The commit of one message and the record of the next one share a round trip.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.record;

import org.jspecify.annotations.NullMarked;
