/**
 * A mailbox: the messages of a queue, subscription or dead-letter queue, and their receivers.
 *
 * <p>A message is an {@link dev.waybill.servicebus.embedded.mailbox.Entry}. It waits in a dispatch, is delivered to a {@link
 * dev.waybill.servicebus.embedded.mailbox.Receiver} under a lock, and leaves or returns by a {@link
 * dev.waybill.servicebus.embedded.mailbox.Settlement}. Sessions have their own dispatch. Everything runs on the loop's thread.
 */
@NullMarked
package dev.waybill.servicebus.embedded.mailbox;

import org.jspecify.annotations.NullMarked;
