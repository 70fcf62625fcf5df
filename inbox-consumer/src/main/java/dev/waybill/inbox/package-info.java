/**
 * The consumer. It records each message's id in the transaction of its effects, so that a redelivered message has no second effect.
 *
 * <pre>
 *   receive ──▶ begin ──▶ record id ──▶ handle ──▶ commit ──▶ complete
 *                │  ▲         │            │
 *                │  │         │            ├─ retry, transient, unknown ─▶ roll back, back off under the lock ─┐
 *                │  └─────────────────────────────────────────────────────────────────────────────────────────┘
 *                │            │            │     time in place over:
 *                │            │            ├─ retry with a long delay ───▶ hold until due, complete
 *                │            │            ├─ transient ─────────────────▶ give the session back (counted), or abandon
 *                │            │            ├─ unknown ───────────────────▶ failed, or abandon without sessions
 *                │            │            ├─ dead-letter, permanent ────▶ failed
 *                │            │            └─ defer ─────────────────────▶ store the number, commit, defer
 *                │            ├─ id known ───────────────────────────────▶ complete without the handler
 *                │            └─ session held ───────────────────────────▶ join the hold, complete
 *                └─ too many starts without an end ──────────────────────▶ failed
 *
 *   failed:  DEAD_LETTER   dead-letter queue; the session continues
 *            HOLD_SESSION  head of its session's hold, commit, complete; the session waits in the database
 *   hold:    due or released ──▶ begin an attempt ──▶ record id, handle, leave the hold ──▶ commit
 *                                                        └─ defer ──▶ a hold of its own until it is resumed
 *   resume:  record the key, mark its deferrals ──▶ commit ──▶ match concurrent deferrals
 * </pre>
 *
 * <p>Invariants, each with tests named after it:
 *
 * <ol>
 *   <li><b>Complete only after commit.</b> After a crash in between, the message comes again and is a duplicate. A commit that PostgreSQL
 *       turned into a rollback is an error. A foreign manager's commit is checked.
 *   <li><b>Only the verdict done leaves an id.</b> Otherwise a re-drive would count as a duplicate and be lost.
 *   <li><b>A session has one message in progress</b>, retried in place. A batch commits up to its first message that is not done.
 *   <li><b>The id is the logical id</b>, so that a re-driven copy is the same message.
 *   <li><b>A message is in one place.</b> A committed hold or stored number precedes the call to the broker.
 *   <li><b>While a hold exists, every message of its session joins it.</b> The message's transaction checks that after it records the id.
 *   <li><b>A session has one handler at a time.</b> Its transaction locks the session first. An owner with a successor writes nothing,
 *       because its fencing token is lower.
 *   <li><b>Every failure is counted or reported.</b> An exception ends a message, never a thread.
 *   <li><b>No work continues without its lock.</b> A lost lock interrupts the handler, cancels its statement, cuts its connection and rolls
 *       back. Work that commits nevertheless makes the next delivery a duplicate.
 *   <li><b>No call to the broker while a transaction is open.</b>
 * </ol>
 *
 * <p>This package is the API. Sub-packages follow a received message: {@code receive}, {@code handle}, {@code transaction}, {@code record},
 * {@code settle}; {@code hold} and {@code defer} for waiting messages; {@code run} assembles them. Each knows only those below it.
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
