/**
 * Which relay owns which destination, and for how long a process may believe it.
 *
 * <ol>
 *   <li><b>One relay owns a destination at a time.</b> Each change of owner raises the epoch. Whoever acts as the owner names
 *       itself and the epoch, and looks at the row count.
 *   <li><b>A lease has no gap.</b> A heartbeat extends only a lease that has not run out. A relay whose lease ran out, or
 *       whose loop hung, comes back under a new id and has forgotten everything.
 *   <li><b>An id belongs to one run of one process.</b> It is random, never a name.
 *   <li><b>The database's clock decides.</b> The process trusts its lease for three quarters of it from the moment it asked,
 *       by a clock that does not jump, and not a moment longer.
 *   <li><b>A loop that takes no turn serves nothing</b>, and its process distrusts the lease before others can read so.
 *   <li><b>A claim waits for no lock.</b> It locks the owners' rows of {@code relay}, then the destinations, and judges in a
 *       third statement, which sees what it has locked. What is locked by somebody else is claimed another time.
 *   <li><b>Lock order</b>: {@code relay}, then {@code outbox_destination} by name, then {@code outbox_hold} by key.
 *   <li><b>Claims are durable</b> when they are known to the loop; heartbeats wait for no standby.
 *   <li><b>A destination is given up only to a relay that has at least two fewer</b>: each move makes the shares more equal,
 *       so no two relays swap for ever.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.lease;

import org.jspecify.annotations.NullMarked;
