/** Glue for the Azure client library where it cannot be told where an embedded broker is. Needs that library. */
@NullMarked
package dev.waybill.servicebus.embedded.azure;

import org.jspecify.annotations.NullMarked;
