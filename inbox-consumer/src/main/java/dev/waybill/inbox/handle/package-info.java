/**
 * Handles received messages in order: attempts in place until a message is decided or its time is over, then its settlement.
 *
 * <ol>
 *   <li>A message that is not done is retried under its lock, so that later messages of its session do not overtake it.
 *   <li>Every exception is counted or logged. It ends the message, never the thread.
 *   <li>After a crash, a redelivered message is begun only after its start is recorded.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.handle;

import org.jspecify.annotations.NullMarked;
