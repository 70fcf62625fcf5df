/** The consumer's way to Azure Service Bus: sessions and messages of a queue or subscription, as {@link dev.waybill.inbox.Receiver} has them. */
@NullMarked
package dev.waybill.servicebus.receiver;

import org.jspecify.annotations.NullMarked;
