/**
 * Dead letters: collected from the broker into a table, then re-driven, discarded, archived or erased as operators decide.
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
 *   re-drive:  running ──canary, pause──▶ paused ──resume──▶ running ──last item──▶ done
 *                 └───────abandon──────────┴──▶ abandoned
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li><b>Stored before completed, and stored once.</b> After a crash a letter is on the broker, in the table, or in both.
 *   <li><b>No broker call in a transaction.</b> Copies go through the outbox or a consumer's hold.
 *   <li><b>Re-driven once per run</b>, in the order of the first enqueuing. A copy has a broker id of its own and the same logical id.
 *   <li><b>Obstacles are reported before anything is sent.</b> What was redacted, or has no body, is not sent.
 *   <li><b>Every action has its audit row, in its transaction</b>, without content.
 *   <li><b>An erased message stays erased.</b> Every writer passes {@code erasure_gate}.
 *   <li><b>No failure ends a thread.</b> It is logged and counted; the monitor reports entities without a collector.
 * </ol>
 *
 * <p>This package is the API, with {@code monitor}, {@code repair} and {@code stuck} on top. The machinery lies below: {@code collect},
 * {@code exchange}, {@code edit}, {@code archive}, {@code redact}, {@code redrive} and {@code erase}, over {@code store} and
 * {@code audit}. Each knows only those below it.
 */
@NullMarked
package dev.waybill.deadletter;

import org.jspecify.annotations.NullMarked;
