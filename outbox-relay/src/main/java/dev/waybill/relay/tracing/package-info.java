/** Traces of sends, for processes with the OpenTelemetry API on the class path. */
@NullMarked
package dev.waybill.relay.tracing;

import org.jspecify.annotations.NullMarked;
