/**
 * The consumer: records each message's id in the transaction of its effects, so that a message that comes again has no
 * second effect.
 *
 * <pre>
 *   receive ──▶ begin ──▶ record id ──▶ handle ──▶ commit ──▶ complete
 *                            │             │
 *                            │             ├─ retry ───────▶ roll back, wait, again while the session is ours
 *                            │             └─ dead-letter ─▶ roll back, dead-letter
 *                            └─ recorded before ──────────────────────▶ complete without the handler
 * </pre>
 *
 * <p>Invariants, each of which a test is named after:
 *
 * <ol>
 *   <li><b>Complete only after commit.</b> A crash in between brings the message again, and its recorded id turns it into
 *       a duplicate.
 *   <li><b>A verdict other than done leaves no id behind.</b> Otherwise the message's re-drive would count as a duplicate
 *       and be lost.
 *   <li><b>One message of a session at a time</b>, retried in place: giving it back would let the next one overtake it.
 *   <li><b>The id is the logical id</b>, not the broker's MessageId, so that a re-driven copy is the same message.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
