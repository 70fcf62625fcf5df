/**
 * Which relay owns which destination, and how long it may rely on that.
 *
 * <ol>
 *   <li><b>One relay owns a destination.</b> Each claim raises the epoch. Statements of an owner name its id and epoch, and check
 *       the row count.
 *   <li><b>A lease has no gap.</b> A heartbeat cannot extend an expired lease. Then, or after its loop has hung, the relay clears
 *       its memory and takes a new, random id.
 *   <li><b>The database's clock decides.</b> The process trusts its lease for three quarters of it, on a monotonic clock, from the
 *       moment of the request.
 *   <li><b>A hanging loop serves nothing</b>, and its process stops trusting the lease before others read so.
 *   <li><b>A claim waits for no lock.</b> It locks owners' rows of {@code relay}, then destinations, and decides in a third
 *       statement, which sees what is locked. It skips rows that are locked already.
 *   <li><b>Lock order</b>: {@code relay}, {@code outbox_destination} by name, {@code outbox_hold} by key.
 *   <li><b>Claims are durable</b> before the loop knows them. Heartbeats wait for no standby.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.lease;

import org.jspecify.annotations.NullMarked;
