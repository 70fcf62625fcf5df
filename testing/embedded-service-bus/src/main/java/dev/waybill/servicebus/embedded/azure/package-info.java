/** Adapters for Azure's client library, where it cannot be given an embedded broker's address. Needs that library. */
@NullMarked
package dev.waybill.servicebus.embedded.azure;

import org.jspecify.annotations.NullMarked;
