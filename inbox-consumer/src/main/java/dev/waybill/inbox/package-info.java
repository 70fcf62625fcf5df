/**
 * The consumer: records each message's id in the transaction of its effects, so that a message that comes again has no
 * second effect.
 *
 * <pre>
 *   receive ──▶ begin ──▶ record id ──▶ handle ──▶ commit ──▶ complete
 *                │  ▲         │            │
 *                │  │         │            ├─ retry, transient, unknown ─▶ roll back, rest under the lock ─┐
 *                │  └─────────────────────────────────────────────────────────────────────────────────────┘
 *                │            │            │     not done in time:
 *                │            │            ├─ retry further off ─────────▶ hold until due, complete
 *                │            │            ├─ transient ─────────────────▶ give the session back (counted), or abandon
 *                │            │            ├─ unknown ───────────────────▶ failed, or abandon without sessions
 *                │            │            ├─ dead-letter, permanent ────▶ failed
 *                │            │            └─ defer ─────────────────────▶ store the number, commit, defer
 *                │            ├─ recorded before ────────────────────────▶ complete without the handler
 *                │            └─ its session is held ────────────────────▶ join the hold, complete
 *                └─ begun too often without an end ──────────────────────▶ failed
 *
 *   failed:  DEAD_LETTER   dead-letter queue; the session goes on
 *            HOLD_SESSION  head of its session's hold, commit, complete; the session waits in the database
 *   hold:    due or released ──▶ begin an attempt ──▶ record id, handle, leave the hold ──▶ commit
 *                                                        └─ defer ──▶ a hold of its own until it is resumed
 *   resume:  record the key, mark what is deferred by it ──▶ commit ──▶ meet what was being deferred meanwhile
 * </pre>
 *
 * <p>Invariants, each with tests named after it:
 *
 * <ol>
 *   <li><b>Complete only after commit.</b> A crash in between brings the message again, and its recorded id turns it into
 *       a duplicate. A commit that PostgreSQL turned into a rollback is an error. Where somebody else commits, that is
 *       found out: before, by a guard, and after an exception, by asking for the id.
 *   <li><b>A verdict other than done leaves no id behind.</b> Otherwise the message's re-drive would count as a duplicate
 *       and be lost.
 *   <li><b>One message of a session at a time</b>, retried in place: giving it back would let the next one overtake it.
 *       A batch is committed up to its first message that is not done.
 *   <li><b>The id is the logical id</b>, not the broker's MessageId, so that a re-driven copy is the same message.
 *   <li><b>A message is in one place.</b> It is held, and its number is stored, in a committed transaction before the broker
 *       is told; what the broker delivers again all the same is found by its id or by where it came from.
 *   <li><b>As long as a hold exists, every message of its session joins it.</b> Each asks in its own transaction, after it
 *       has recorded its id.
 *   <li><b>One handler of a session at a time</b>, whoever runs it: its transaction locks the session first. An owner
 *       that was succeeded by a later acceptance of the session records nothing more, and writes nothing else: its
 *       fencing token is lower.
 *   <li><b>Everything is counted or told.</b> An exception or error ends a message, never a thread.
 *   <li><b>Nothing goes on without its lock.</b> A lost lock interrupts the handler, then cancels its statement, then cuts
 *       its connection, and rolls back; what has slipped through is a duplicate for the next owner.
 *   <li><b>No call to the broker while a transaction is open.</b> Messages that share round trips are completed when the
 *       last of their transactions is over.
 * </ol>
 *
 * <p>This package is the API; the machinery lies in sub-packages along the way of a received message: {@code receive}, {@code handle},
 * {@code transaction}, {@code record} and {@code settle}, with {@code hold} and {@code defer} for messages that wait, and put together
 * by {@code run}. Below them lie {@code lock}, {@code event}, {@code heartbeat}, {@code settings}, {@code connect} and {@code failure}.
 * Each knows only those below it.
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
