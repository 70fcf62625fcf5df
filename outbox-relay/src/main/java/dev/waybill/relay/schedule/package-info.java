/**
 * Scheduled messages on their way into the outbox.
 *
 * <ol>
 *   <li><b>A row moves in one transaction</b>, deleted here and inserted there: after a crash it is in one of both places.
 *   <li><b>It takes its place in the order of its session when it moves</b>: under the lock that every append takes, with a
 *       sequence value that is allocated then.
 *   <li><b>Due messages of a session move in the order in which they are due.</b> A row that is locked keeps the later ones.
 *   <li><b>The lock of the row decides</b> between a cancel and the move. The mover passes over what is locked.
 *   <li><b>It waits for no application while it holds a lock.</b> The one session that it waits for is in a transaction of its
 *       own, for a moment, because a session that is always appended to is never free at a glance.
 *   <li><b>A row that cannot move keeps no other</b>, except later ones of its session.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.schedule;

import org.jspecify.annotations.NullMarked;
