/**
 * The namespaces of the standalone relay: who it says it is, how it publishes, and what it can learn about entities. The only
 * package of the standalone relay that names types of the Azure SDK.
 */
@NullMarked
package dev.waybill.standalone.servicebus;

import org.jspecify.annotations.NullMarked;
