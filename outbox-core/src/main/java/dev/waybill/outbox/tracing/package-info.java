/** Traces of appends, for applications with the OpenTelemetry API on the class path. */
@NullMarked
package dev.waybill.outbox.tracing;

import org.jspecify.annotations.NullMarked;
