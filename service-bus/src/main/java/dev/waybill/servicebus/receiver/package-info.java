/** The {@link dev.waybill.inbox.MessageSource} for Azure Service Bus. */
@NullMarked
package dev.waybill.servicebus.receiver;

import org.jspecify.annotations.NullMarked;
