/**
 * The relay's way to Azure Service Bus: rows become messages, messages batches, batches are sent one at a time per lane.
 * The only package of this module that knows the Azure SDK.
 */
@NullMarked
package dev.waybill.relay.servicebus;

import org.jspecify.annotations.NullMarked;
