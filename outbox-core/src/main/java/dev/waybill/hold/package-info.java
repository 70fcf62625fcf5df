/**
 * Holds: what stands still because one of its messages could not be published or handled, so that nothing else has to.
 * The outbox and the inbox use the same tables, the same lock and the same words.
 *
 * <pre>
 *              refused, failed                       refused again, tried too often
 *   (none) ─────────────────────▶ parked ◀──────────────────────────────────────────┐
 *     │  │                          │ retry, release (operator)                     │
 *     │  │ to be tried later        ▼                                               │
 *     │  └────────────────────▶ retrying(due at) ──begin──▶ retrying(attempt) ──settle
 *     │                             ▲                                               │
 *     │ joins what has just ended   │                      something is left        │
 *     └─────────────────────────────┴───────────────────────────────────────────────┤
 *                                                                                   │
 *   (none) ◀──────────────── nothing is left: settled, or skipped (operator) ◀──────┘
 * </pre>
 *
 * <p>A hold is of a <b>session</b>, whose later messages join it in order, or of a <b>single message</b>: one without a
 * session, or one whose session goes on without it. Its <b>scope</b> is a destination (outbox) or a consumer (inbox).
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li><b>One lock.</b> A transaction that changes a hold, or adds or removes messages, has locked its row before. Several
 *       are locked in the order of their keys.
 *   <li><b>A hold without messages does not exist.</b> The transaction that takes the last one out deletes the hold under the
 *       lock. A message that comes too late to join opens it again, due at once: none is left behind, and none overtakes.
 *   <li><b>Only one attempt at a time.</b> Messages are published or handled under an attempt: a token and an end on the
 *       database's clock, recorded before and named at each step after. While it lasts, nobody begins another, and
 *       operators can neither skip nor edit. A settle after its end counts only if nobody has begun or changed anything
 *       meanwhile.
 *   <li><b>Attempts that end without a word count.</b> A message whose attempts keep ending so is parked: it may be what
 *       ends the process.
 *   <li><b>Operators never publish.</b> They change states, under the lock, each time with a reason and an audit row.
 *   <li><b>Many are changed one by one</b>, each in a transaction of its own, chosen again under its lock.
 *   <li><b>A message that is added twice is held once</b>, by where it came from and its id; a re-driven one, by its dead
 *       letter.
 *   <li><b>An erased message is not held</b>: the table refuses it.
 * </ol>
 */
@NullMarked
package dev.waybill.hold;

import org.jspecify.annotations.NullMarked;
