/**
 * Ends the handling of a message: database first, broker last.
 *
 * <p>In comes a message with the outcome of its last attempt; out goes whether the broker was told, or the message was left unsettled
 * and its receiver must be given up.
 *
 * <ol>
 *   <li>A message is completed only after the commit, and never while a transaction is open.
 *   <li>Completions do not wait for the broker. Everything else waits for the completions before it.
 *   <li>A message is held, or its number is stored, in a committed transaction before the broker is told.
 *   <li>What cannot be disposed of as the policy says is counted, and dead-lettered in the end.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.settle;

import org.jspecify.annotations.NullMarked;
