/**
 * The relay: reads committed outbox rows, publishes them in order per session, records how far it came.
 *
 * <pre>
 *   append ─────▶ read ─────▶ publish ─────▶ settle
 *  (application)   │             │              │
 *                  │             │              └─ one fenced insert for all lanes that moved, every 200 ms; every 50 while there are many
 *                  │             └─ one batch in flight per lane, the next page read meanwhile, in no open transaction
 *                  └─ late arrivals first, then what is new; lanes that had nothing left are read by the cheaper statement
 *
 *   refused row ──▶ hold, in the settle that passes it ──release──▶ attempt ──▶ publish ──▶ settle of the attempt
 *
 *   lane:     free ──claim──▶ owned(epoch) ──drain, settle, release──▶ free
 *                               │
 *                               └─ owner not alive, or its loop hangs ──claim by another──▶ owned(epoch + 1)
 *
 *   relay:    beats ──▶ alive until …, and serving the destinations whose loops move
 *
 *   loop:     connects ──▶ takes lanes ──▶ steps ──any failure──▶ throws connection and cursors away ──▶ connects
 * </pre>
 *
 * <p>A <b>lane</b> is a (destination, bucket): the unit that keeps order, and that a lease protects. Its
 * <b>cursor</b> says: every row with {@code seq <= position} that the snapshot sees is published, and, while the lane is
 * among late rows, which of those are, too. Nothing else is stored about a row, and no row is touched until it is published.
 *
 * <p>Invariants, each of which a test is named after:
 *
 * <ol>
 *   <li><b>Nothing is skipped.</b> A row that commits after the cursor has passed its sequence value is a <i>late
 *       arrival</i>: its transaction was running when the cursor's snapshot was taken, that is, its id is in the
 *       snapshot's list or in {@code [xmax, next_xid)}. Each read looks for those before anything new, judged by each lane's
 *       own snapshot. {@code next_xid} is an upper bound because a row's transaction id is assigned before its sequence value
 *       is drawn: whoever drew a value below the position had an id by then, and {@code next_xid} is taken later. Where late
 *       rows take several pages, or a send of them breaks off, the cursor also has the later snapshot that sees them and the
 *       last value up to which they have met their fate; the lane reads nothing else before the rest of them.
 *   <li><b>A cursor lives no longer than the server process it was read on.</b> A loop has one connection, whose server
 *       process carries a token; reads and settles name it. After any failure the connection and all cursors in memory are
 *       thrown away and the recorded ones are read again: a promoted standby or a restarted server gives sequence values and
 *       transaction ids once more.
 *   <li><b>Order per session.</b> Writers of one session hold its lock from before the sequence value is drawn until commit,
 *       so what a snapshot sees of a session is a prefix of it. A lane sends in order and one batch at a time. The new owner
 *       of a lane sends again from the recorded position, so that the first arrival of every message is in order even beside
 *       a relay that does not know yet that it lost its lease.
 *   <li><b>Settling is fenced.</b> A cursor is recorded only where the lane still has this owner and this epoch, by the
 *       server process it was read on, and not above the database's counters; a lane that is missing from the answer is lost
 *       and forgotten.
 *   <li><b>A lease is as good as its owner's signs of life.</b> It is valid while the owner's newest beat has time left and
 *       names the destination. A loop that takes no step is not named, and stops trusting its leases before others can read
 *       so. A claim locks the owner's row first and judges in a second statement, so that it never steals beside a beat that
 *       is being written. Only an owner that is dead makes a message suspicious.
 *   <li><b>Nothing overtakes what failed.</b> Pages are read ahead of what is being sent. A lane sends a page only when every
 *       row of the page before has met its fate, and a page behind one that failed is neither sent nor settled.
 *   <li><b>A lane is given away only when it is settled.</b> Where the fate of a send is unknown, nobody claims the lane
 *       until the longest send must be over: a late batch could overtake what the successor has put on hold.
 *   <li><b>A destination moves while nobody has a lane of it.</b> A move to another entity takes all lanes, as a relay
 *       would, and gives them back with the switch, in one transaction. So the entity that was read after a claim is right
 *       for as long as the claim is, and what was sent to the old one counts only if it was settled before the lanes were
 *       taken.
 *   <li><b>A position never passes what is drawn, nor what was not read.</b> A lane moves on to the end of its block, or over
 *       empty ones behind it, only where the database says, by the page's snapshot or a later one, that it has nothing more
 *       there, and never above the last value drawn when its snapshot was taken.
 *       Pages are cut by rows and by bytes, and say so. Of a paused destination nothing is read, so nothing moves.
 *   <li><b>The cheap read is of one partition.</b> Lanes that had nothing left are asked for what their snapshots do not see.
 *       That must lie in the block in use: a recorded cursor has shown that every transaction the snapshots do not see
 *       draws its values there, and {@code drawn} that none is beyond.
 *   <li><b>A refused row is out of the way.</b> It counts as passed and is copied into a hold by the settle that passes it;
 *       rows of a held session, or of one set aside earlier, are not sent but join the hold. That settle holds
 *       the lock of its lanes. Held messages are published by the lane's owner alone, under an attempt.
 *   <li><b>No message is blamed for an outage</b>, and none for what another message of its batch did.
 *   <li><b>An owner that keeps dying where a lane stands is slowed down</b> to one message at a time, until the culprit is held.
 *   <li><b>A crash before settling repeats, never loses.</b> Repeats carry the same MessageId.
 *   <li><b>The database's clock decides leases.</b> The relay measures only how long ago it asked, on a clock that does
 *       not jump, and stops sending before the lease can have run out.
 *   <li><b>Rows leave by whole partitions</b>, and a partition only when the cursor of every row in it has passed it
 *       <i>and</i> seen it; looked at again under the lock. Rows that still wait when the ring comes round are moved aside,
 *       with their transaction ids and sequence values, and leave there one by one.
 *   <li><b>Counters that go back stop the relay</b>, before it records anything, and for good: sequence values and transaction
 *       ids only grow; if they did not, somebody restored or restarted something, and only a rebase may go on.
 *   <li><b>A row that is not durable is not sent</b>: a page waits until the server has flushed its log past it.
 * </ol>
 */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
