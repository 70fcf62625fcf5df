/**
 * Takes rows out of the outbox: accepted ones are deleted, refused ones move to holds.
 *
 * <ol>
 *   <li>A settle locks the destination under its epoch first. A claim waits for it, or has raised the epoch before.
 *   <li>Locks are taken in one order: {@code relay}, {@code outbox_destination} by name, {@code outbox_hold} by key, rows.
 *   <li>A hold is made only together with a row that the same statement moves. A hold without messages ends in the same
 *       transaction.
 *   <li>A row whose hold has ended stays in the outbox and is read again.
 *   <li>Deletions commit asynchronously: one that a crash takes back repeats a send.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.settle;

import org.jspecify.annotations.NullMarked;
