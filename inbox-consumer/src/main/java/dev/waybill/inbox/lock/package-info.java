/**
 * Who may go on with a session or message, and for how long.
 *
 * <p>In come an accepted receiver and its messages; out goes an exception to whoever has lost them.
 *
 * <ol>
 *   <li><b>The watchdog renews the broker's lock</b> while a message is in hand. When the lock is lost, it interrupts the handler,
 *       then cancels its statement, then cuts its connection.
 *   <li><b>Each acceptance of a session allocates a higher fence.</b> Whatever its owner writes carries the fence, and an owner with a
 *       lower one writes nothing.
 *   <li><b>A handler's transaction locks its session in the database first</b>, until its end.
 *   <li><b>Time is the process's clock, which does not jump.</b> Every wait ends when the consumer stops.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.lock;

import org.jspecify.annotations.NullMarked;
