/**
 * Reports what happened to messages: to the application's listener, the table of events and the log. No message waits for a report or
 * fails with it. Events are buffered up to a limit, and a separate thread writes them.
 */
@NullMarked
package dev.waybill.inbox.event;

import org.jspecify.annotations.NullMarked;
