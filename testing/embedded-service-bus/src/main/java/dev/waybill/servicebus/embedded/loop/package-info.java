/**
 * The one thread that owns a broker: its sockets, its protocol engines, its timers and all of its state.
 *
 * <p>A turn of the loop is: wait for a socket, a posted task or a timer; run what is ready; run what that work asked to
 * be done {@linkplain EventLoop#later at the end of the turn}. Nothing that runs on the loop blocks, and nothing outside
 * it touches broker state: other threads {@linkplain EventLoop#post post} work, or {@linkplain EventLoop#call post and
 * wait}. So there are no locks, and no ordering between threads to reason about.
 *
 * <p>Time comes in two kinds. <em>Network time</em> (heartbeats, paced deliveries, injected delays) is real and
 * monotonic. <em>Broker time</em> ({@link BrokerClock}: locks, times to live, schedules, duplicate windows) is the wall
 * clock plus whatever a test has {@linkplain EventLoop#advance advanced} it by.
 */
@NullMarked
package dev.waybill.servicebus.embedded.loop;

import org.jspecify.annotations.NullMarked;
