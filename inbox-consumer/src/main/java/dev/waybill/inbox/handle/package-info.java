/**
 * Received messages one after the other: each is tried in place until it is decided or its time is over, and then settled.
 *
 * <ol>
 *   <li>A message that is not done is retried under its lock, so that the next one of its session does not overtake it.
 *   <li>Everything that is thrown is counted or reported. It ends the message, never the thread.
 *   <li>A message that comes again after a crash is begun only after its start is on record.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.handle;

import org.jspecify.annotations.NullMarked;
