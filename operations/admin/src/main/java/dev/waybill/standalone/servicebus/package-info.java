/**
 * The Service Bus namespaces: sign-in, publishing, and administration of entities. The only package of the standalone relay
 * that uses types of the Azure SDK.
 */
@NullMarked
package dev.waybill.standalone.servicebus;

import org.jspecify.annotations.NullMarked;
