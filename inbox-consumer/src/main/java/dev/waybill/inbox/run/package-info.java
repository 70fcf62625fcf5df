/**
 * Puts the parts of a consumer together, runs their turns on threads, and removes old ids.
 *
 * <p>A turn is a plain method that tests call. A thread whose turn fails backs off and tries again. What ends last is the watchdog,
 * because it guards the messages that are still in hand while the consumer stops.
 */
@NullMarked
package dev.waybill.inbox.run;

import org.jspecify.annotations.NullMarked;
