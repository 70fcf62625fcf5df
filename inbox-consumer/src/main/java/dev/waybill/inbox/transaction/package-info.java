/**
 * One message, or a batch, in one transaction: begin, record, handle, commit.
 *
 * <p>In comes a message; out goes the verdict with what was recorded, or an exception. The transactions are the consumer's own or
 * those of a {@link dev.waybill.inbox.TransactionBoundary}.
 *
 * <ol>
 *   <li>After any other verdict than done, nothing remains: neither effects nor the id.
 *   <li>A commit of somebody else's manager is believed in neither way. The transaction is checked before it, and after an exception
 *       the database is asked for the id.
 *   <li>A batch is committed up to its first message that is not done.
 *   <li>While the gate is shut, because the database cannot be reached, nothing is received.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.transaction;

import org.jspecify.annotations.NullMarked;
