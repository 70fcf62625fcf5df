/**
 * Holds: sessions and single messages that wait because a message could not be published or handled. All others go on. Outbox
 * and inbox have tables of their own with equal columns, and share this code.
 *
 * <pre>
 *     refused, failed              refused again, tried too often
 *   (none) ─────────────────────▶ parked ◀──────────────────────────────────────────┐
 *     │  │                          │ retry, release (operator)                        │
 *     │  │ to be retried later      ▼                                                  │
 *     │  └────────────────────▶ retrying(due at) ──begin──▶ retrying(attempt) ──settle
 *     │                             ▲                                                  │
 *     │ joins what has just ended   │             messages remain                      │
 *     └─────────────────────────────┴───────────────────────────────────────────────┤
 *                                                                                      │
 *   (none) ◀──────────────── no message remains: settled, or skipped (operator) ◀──────┘
 * </pre>
 *
 * <p>A hold is of a <b>session</b>, whose later messages join it in order, or of a <b>single message</b>. Its <b>scope</b> is a
 * destination (outbox) or a consumer (inbox).
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li><b>The hold's row is the lock.</b> A transaction locks it before it changes the hold or its messages. It locks
 *       several holds in the order of their keys.
 *   <li><b>A hold has messages.</b> The transaction that removes the last one deletes the hold. A message that joins later
 *       opens the hold again, due at once. So a session neither waits forever nor loses its order.
 *   <li><b>One attempt at a time.</b> An attempt has a token and expires by the database's clock. While it runs, no other
 *       begins, and operators cannot skip or edit. An expired attempt can settle until another begins or an operator acts.
 *   <li><b>Attempts without a result count.</b> After three of them the hold is parked: its message may crash the process.
 *   <li><b>Operators never publish.</b> They change states, with a reason and an audit row.
 *   <li><b>Bulk actions use a transaction for each hold</b> and check their filter again under its lock.
 *   <li><b>No duplicates.</b> A hold contains a message once, by origin and id; a dead letter once, by its id.
 *   <li><b>The tables reject erased messages.</b>
 * </ol>
 */
@NullMarked
package dev.waybill.hold;

import org.jspecify.annotations.NullMarked;
