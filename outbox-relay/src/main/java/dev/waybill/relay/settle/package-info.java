/**
 * Deletes accepted rows and moves refused ones to holds.
 *
 * <ol>
 *   <li>A settle first locks the destination and checks its epoch. A concurrent claim waits, or has raised the epoch before.
 *   <li>Lock order: {@code relay}, {@code outbox_destination} by name, {@code outbox_hold} by key, rows.
 *   <li>A statement that opens a hold also moves a row into it. An empty hold ends in the same transaction.
 *   <li>A row whose hold has ended stays in the outbox and is read again.
 *   <li>Deletions commit asynchronously: if a crash undoes one, the relay sends the message again.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.settle;

import org.jspecify.annotations.NullMarked;
