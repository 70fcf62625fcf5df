/**
 * Ends the handling of a message: database first, broker last.
 *
 * <ol>
 *   <li>A message is completed only after the commit, and never while a transaction is open.
 *   <li>Completions do not wait for the broker. Every other settlement waits for earlier completions.
 *   <li>A hold, or a deferred message's number, is committed before the broker is called.
 *   <li>A message that the policy cannot dispose of is counted, and dead-lettered in the end.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.settle;

import org.jspecify.annotations.NullMarked;
