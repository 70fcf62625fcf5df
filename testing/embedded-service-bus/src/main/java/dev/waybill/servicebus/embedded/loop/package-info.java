/**
 * The thread that owns a broker: sockets, protocol engines, timers and all state.
 *
 * <p>A turn waits for a socket, posted task or timer, runs what is ready, and then runs what that work scheduled {@linkplain
 * EventLoop#later for the end of the turn}. The loop never blocks. Other threads never touch broker state: they {@linkplain
 * EventLoop#post post} work, or {@linkplain EventLoop#call post and wait}. So there are no locks.
 *
 * <p><em>Network time</em> (heartbeats, paced deliveries, injected delays) is real and monotonic. <em>Broker time</em> ({@link
 * BrokerClock}: locks, times to live, schedules, duplicate windows) is the wall clock plus what tests have {@linkplain
 * EventLoop#advance advanced}.
 */
@NullMarked
package dev.waybill.servicebus.embedded.loop;

import org.jspecify.annotations.NullMarked;
