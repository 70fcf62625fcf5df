/** The {@link dev.waybill.relay.Publisher} for Azure Service Bus. Only {@code Outcomes} classifies errors of the SDK. */
@NullMarked
package dev.waybill.servicebus.publisher;

import org.jspecify.annotations.NullMarked;
