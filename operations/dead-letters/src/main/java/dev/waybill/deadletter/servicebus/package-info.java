/** Dead-letter queues of Azure Service Bus. */
@NullMarked
package dev.waybill.deadletter.servicebus;

import org.jspecify.annotations.NullMarked;
