/**
 * Assembles a consumer, runs its turns on threads, and removes old ids.
 *
 * <p>A turn is a plain method, so tests call it directly. A thread whose turn fails backs off and tries again. The watchdog ends last,
 * because it guards messages in flight while the consumer stops.
 */
@NullMarked
package dev.waybill.inbox.run;

import org.jspecify.annotations.NullMarked;
