/** Sessions of an Azure Service Bus queue. The only package of this module that knows the Azure SDK. */
@NullMarked
package dev.waybill.inbox.servicebus;

import org.jspecify.annotations.NullMarked;
