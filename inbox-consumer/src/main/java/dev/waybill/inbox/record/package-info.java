/**
 * Records the id of a message in the transaction of its effects. The record reports whether the message is new, whether it waits behind
 * a hold, and whether a message of its session is resumed.
 *
 * <ol>
 *   <li>The first statement locks the session and records the id. The next one asks the rest, so that it sees what was committed during
 *       the waits.
 *   <li>An owner with a successor records nothing.
 *   <li>The commit of one message and the record of the next share a round trip.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.record;

import org.jspecify.annotations.NullMarked;
