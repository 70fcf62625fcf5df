/**
 * A mailbox: the messages of a queue, a subscription or a dead-letter queue, and who has them.
 *
 * <p>A message is an {@link dev.waybill.servicebus.embedded.mailbox.Entry}. It waits in a dispatch, is handed to a {@link
 * dev.waybill.servicebus.embedded.mailbox.Receiver} under a lock, and leaves or comes back by a {@link
 * dev.waybill.servicebus.embedded.mailbox.Settlement}. Sessions have a dispatch of their own. All of it belongs to the loop's thread.
 */
@NullMarked
package dev.waybill.servicebus.embedded.mailbox;

import org.jspecify.annotations.NullMarked;
