/**
 * What became of messages: for the application's listener, the table of events and the log.
 *
 * <ol>
 *   <li>No message waits for a listener or an event, and none fails with it.
 *   <li>Events are kept in memory up to a limit. A thread of their own writes them.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.event;

import org.jspecify.annotations.NullMarked;
