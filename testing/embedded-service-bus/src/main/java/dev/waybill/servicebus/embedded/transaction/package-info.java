/**
 * Transactions: work that happens completely or not at all.
 *
 * <pre>
 *   declare ──► OPEN ── enlist ──► OPEN ── discharge ──► every piece can still be done ──► all are done ──► COMMITTED
 *                 │                                      └─ one cannot ─┐
 *                 └── discharge (fail), link or connection lost, timeout ┴─► ROLLED BACK
 * </pre>
 *
 * <p>Enlisted work has no effect before the commit: sent messages are not stored, and settled messages stay locked. The commit first
 * checks every piece of work, then applies all.
 */
@NullMarked
package dev.waybill.servicebus.embedded.transaction;

import org.jspecify.annotations.NullMarked;
