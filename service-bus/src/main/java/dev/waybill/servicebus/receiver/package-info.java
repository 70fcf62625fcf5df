/**
 * The consumer's source for Azure Service Bus: implements {@link dev.waybill.inbox.MessageSource} and
 * {@link dev.waybill.inbox.Receiver}.
 */
@NullMarked
package dev.waybill.servicebus.receiver;

import org.jspecify.annotations.NullMarked;
