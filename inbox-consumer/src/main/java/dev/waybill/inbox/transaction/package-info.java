/**
 * Handles one message, or a batch, in one transaction: begin, record, handle, commit. The transaction is the consumer's own or that of
 * a {@link dev.waybill.inbox.TransactionBoundary}.
 *
 * <ol>
 *   <li>Unless the verdict is done, nothing remains: neither effects nor id.
 *   <li>The consumer does not trust the commit of a foreign manager. It checks the transaction before, and looks the id up after an
 *       exception.
 *   <li>A batch commits up to its first message that is not done.
 *   <li>While the database is unavailable, the gate is closed and nothing is received.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.transaction;

import org.jspecify.annotations.NullMarked;
