/**
 * Moves scheduled messages to the outbox.
 *
 * <ol>
 *   <li><b>A row moves in one transaction</b>: after a crash it is in one of the two tables.
 *   <li><b>It enters the order of its session when it moves</b>, under the session's lock, with a new sequence value.
 *   <li><b>Due messages of a session move in due order.</b> A locked row keeps the later ones.
 *   <li><b>The row's lock decides</b> between a cancel and the move. The mover skips locked rows.
 *   <li><b>The mover holds no lock while it waits for an application.</b> It waits for one busy session at a time, in its own
 *       transaction, because a session with constant appends is never free without waiting.
 *   <li><b>A row that cannot move keeps only later rows of its session.</b>
 * </ol>
 */
@NullMarked
package dev.waybill.relay.schedule;

import org.jspecify.annotations.NullMarked;
