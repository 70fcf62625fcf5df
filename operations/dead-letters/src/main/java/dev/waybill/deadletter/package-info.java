/**
 * Dead letters come home: from the broker into a table, and from there back, to the archive, or nowhere, always on somebody's
 * word.
 *
 * <pre>
 *   (broker) ──collect──▶ open ──redrive──▶ redriven ──┐
 *       │                 │  ▲ ▲                       ├─archive─▶ archived ──expire──▶ (gone)
 *       │                 │  │ └───── reopen ──────────┤               │
 *       │              discard                         │               └─restore─▶ open
 *       │                 └──┼─────────▶ discarded ────┘
 *       │                 release
 *       └──k times again──▶ quarantined
 *
 *   redact: any state, which stays; the letter can be neither edited nor re-driven any more
 *
 *   re-drive:  running ──canary, pause──▶ paused ──resume──▶ running ──last item──▶ done
 *                 └───────abandon──────────┴──▶ abandoned
 * </pre>
 *
 * <p>The collector decides about open or quarantined, by the number of re-drives that a message tells of; operators and
 * their jobs decide about everything else. A failure leaves a dead letter in the state it was in.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li><b>Stored before completed.</b> A collector receives, stores, commits, completes. Wherever it dies, the message is on
 *       the broker, in the table, or in both; and in both it is found stored.
 *   <li><b>Stored once.</b> A dead letter is a message and a state, in two rows that come and go in one transaction. The key
 *       is made of all that tells two messages apart, the body included. A recreated entity loses nothing.
 *   <li><b>No broker call in a transaction.</b> Nothing here publishes: copies go through the outbox, and messages for one
 *       consumer through its hold.
 *   <li><b>Re-driven once per run.</b> Copies, states, audit and position are one transaction, under the run's lock and the
 *       rows' locks. Only what is open is taken.
 *   <li><b>A copy is new to the broker and known to every inbox</b>: broker id of its own, same logical id, same session.
 *   <li><b>In the order of first enqueuing</b>, within a run, under the sessions' locks; however often a message has died.
 *   <li><b>Obstacles are named before anything goes.</b> Edits do not make a message unsendable.
 *   <li><b>Every action has its audit row, in its transaction</b>, and no audit row says what a message says.
 *   <li><b>Nothing emptied is sent.</b> A letter that was redacted, or came without its body, says so.
 *   <li><b>An erased message stays erased.</b> Every writer of messages passes {@code erasure_gate} in the same
 *       transaction, and asks for orders behind it; the eraser waits for those inside, and looks until a whole
 *       look finds nothing.
 *   <li><b>The former version of an edited message is kept</b> until redaction, erasure or the end of the archive.
 *   <li><b>Nothing ends in silence.</b> No failure ends a thread; each is logged and counted. Collectors say that they are alive; the monitor says where nobody does.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter;

import org.jspecify.annotations.NullMarked;
