/**
 * The application's side of the outbox: {@link dev.waybill.outbox.Outbox#append append} writes a message as a row in the
 * caller's transaction, so the row exists if and only if the business rows do.
 *
 * <p>The promises that hold here, on which the relay and the consumer build:
 *
 * <ul>
 *   <li><b>The caller owns the transaction.</b> Append refuses a connection in auto-commit, never opens, commits or rolls
 *       back, and keeps no memory of its own between calls. Without a connection it joins the transaction that
 *       {@link dev.waybill.outbox.CurrentTransaction} finds in the thread, or throws.
 *   <li><b>Inside a session, sequence order is commit order.</b> A session's appends take a transaction-level lock before
 *       the sequence value is drawn, and hold it to the end of the transaction.
 *   <li><b>A row's transaction id is older than its sequence value</b>, by the order of the columns' defaults.
 *   <li><b>Ids are deterministic.</b> The same business fact appended again carries the same id; nothing here offers a
 *       random one.
 * </ul>
 */
@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
