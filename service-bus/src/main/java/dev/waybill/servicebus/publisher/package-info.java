/**
 * The relay's way to Azure Service Bus: rows become messages, messages batches, batches are sent one at a time per lane.
 * Implements {@link dev.waybill.relay.Publisher}; {@code Outcomes} alone classifies the errors of the Azure SDK.
 */
@NullMarked
package dev.waybill.servicebus.publisher;

import org.jspecify.annotations.NullMarked;
