/**
 * Decides which worker may go on with a session or message, and for how long. A worker that has lost its session gets an exception.
 *
 * <ol>
 *   <li><b>The watchdog renews the broker's lock</b> while a worker has a message. When the lock is lost, it interrupts the handler,
 *       then cancels its statement, then cuts its connection.
 *   <li><b>Each acceptance of a session allocates a higher fencing token.</b> The owner's writes carry the token. A lower token writes
 *       nothing.
 *   <li><b>A handler's transaction first locks its session in the database</b>, until its end.
 *   <li><b>Time is the process's monotonic clock.</b> Every wait ends when the consumer stops.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.lock;

import org.jspecify.annotations.NullMarked;
