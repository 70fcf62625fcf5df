/**
 * The application's side of the outbox: {@link dev.waybill.outbox.Outbox#append append} writes a message as a row in the
 * caller's transaction, so the message exists if and only if the business rows do. The relay publishes it after the commit.
 *
 * <p>Invariants on which relays and consumers rely:
 *
 * <ul>
 *   <li><b>The caller owns the transaction.</b> {@code append} rejects auto-commit, and never begins, commits or rolls back.
 *       Without a connection it joins the thread's transaction through {@link dev.waybill.outbox.CurrentTransaction}.
 *   <li><b>Within a session, sequence order is commit order.</b> Appends lock the session before they allocate the sequence
 *       value, until the transaction ends.
 *   <li><b>A transaction has its id before its rows have sequence values</b>, by the order of the columns' defaults.
 *   <li><b>Ids are deterministic.</b> A business fact that is appended again has the same id.
 * </ul>
 */
@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
