/**
 * The relay: reads committed outbox rows, publishes them in order per session, records how far it came.
 *
 * <pre>
 *   append ─────▶ read ─────▶ publish ─────▶ settle
 *  (application)   │             │              │
 *                  │             │              └─ one fenced insert: position and snapshot of each lane
 *                  │             └─ one batch in flight per lane; the next page is read meanwhile, in no open transaction
 *                  └─ late arrivals first, then what is new
 *
 *   refused row ──▶ hold, in the settle that passes it ──release──▶ attempt ──▶ publish ──▶ settle of the attempt
 *
 *   bucket:   free ──claim──▶ owned(epoch) ──renew──▶ owned(epoch) ──release──▶ free
 *                               │
 *                               └─ lease runs out ──claim by another──▶ owned(epoch + 1)
 * </pre>
 *
 * <p>A <b>lane</b> is a (destination, bucket): the unit that keeps order, and that a lease protects. Its
 * <b>cursor</b> says: every row with {@code seq <= position} that the snapshot sees is published. Nothing else is stored
 * about a row, and no row is ever touched.
 *
 * <p>Invariants, each of which a test is named after:
 *
 * <ol>
 *   <li><b>Nothing is skipped.</b> A row that commits after the cursor has passed its sequence value is a <i>late
 *       arrival</i>: its transaction was running when the cursor's snapshot was taken, that is, its id is in the
 *       snapshot's list or in {@code [xmax, next_xid)}. Each turn reads those before anything new. {@code next_xid} is
 *       an upper bound because a row's transaction id is assigned before its sequence value is drawn: whoever drew a
 *       value below the position had an id by then, and {@code next_xid} is taken later.
 *   <li><b>Order per session.</b> Writers of one session hold its lock from before the sequence value is drawn until
 *       commit, so what a snapshot sees of a session is a prefix of it. A lane sends in order and one batch at a time.
 *       Whoever takes a lane over sends again from the recorded position, so that the first arrival of every message
 *       is in order even beside a relay that does not know yet that it lost its lease.
 *   <li><b>Settling is fenced.</b> A cursor is recorded only where the lease still has this owner and this epoch; a lane
 *       that is missing from the answer is lost and forgotten.
 *   <li><b>Nothing overtakes what failed.</b> Pages are read ahead of what is being sent. A lane sends a page only when every
 *       row of the page before has met its fate, and a page behind one that failed is neither sent nor settled.
 *   <li><b>A position never passes what is drawn.</b> A lane without rows moves on with the ring, up to the last value drawn
 *       when its snapshot was taken: a value drawn later may belong to a transaction above every bound. Of a paused
 *       destination nothing is read, so nothing moves.
 *   <li><b>A refused row is out of the way.</b> It counts as passed and is copied into a hold by the settle that passes it;
 *       rows of a held session, or of one set aside earlier in the turn, are not sent but join the hold. That settle holds
 *       the lock of its leases. Held messages are published by the bucket's owner alone, under an attempt.
 *   <li><b>No message is blamed for an outage</b>, and none for what another message of its batch did.
 *   <li><b>Who keeps dying where a lane stands is slowed down</b> to one message at a time, until the culprit is held.
 *   <li><b>A crash before settling repeats, never loses.</b> Repeats carry the same MessageId.
 *   <li><b>The database's clock decides leases.</b> The relay measures only how long ago it asked, on a clock that does
 *       not jump, and stops sending before the lease can have run out.
 *   <li><b>Rows leave only by whole partitions</b>, and a partition only when the cursor of every row in it has passed it
 *       <i>and</i> seen it; looked at again under the lock.
 *   <li><b>Counters that go back stop the relay.</b> Sequence values and transaction ids only grow; if they did not,
 *       somebody restored or restarted something, and only a rebase may go on.
 *   <li><b>What is not durable is not sent</b>: a page waits until the server has flushed its log past it.
 * </ol>
 */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
