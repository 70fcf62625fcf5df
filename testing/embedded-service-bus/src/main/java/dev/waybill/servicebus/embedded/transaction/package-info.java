/**
 * Work that happens together or not at all.
 *
 * <pre>
 *   declare ──► OPEN ── enlist ──► OPEN ── discharge ──► every piece can still be done ──► all are done ──► COMMITTED
 *                 │                                      └─ one cannot ─┐
 *                 └── discharge (fail), link or connection lost, timeout ┴─► ROLLED BACK
 * </pre>
 *
 * <p>Enlisted work has no effect before the commit: messages sent are not stored, messages settled stay locked. The
 * commit first asks every piece whether it can be done and only then does any.
 */
@NullMarked
package dev.waybill.servicebus.embedded.transaction;

import org.jspecify.annotations.NullMarked;
