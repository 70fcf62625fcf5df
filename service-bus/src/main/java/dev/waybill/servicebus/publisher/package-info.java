/**
 * The relay's publisher for Azure Service Bus, {@link dev.waybill.relay.Publisher}: converts rows to messages and sends
 * batches, one at a time for each lane. Only {@code Outcomes} classifies errors of the SDK.
 */
@NullMarked
package dev.waybill.servicebus.publisher;

import org.jspecify.annotations.NullMarked;
