/** Traces of a consumer, for applications with OpenTelemetry. Needs its API on the class path. */
@NullMarked
package dev.waybill.inbox.tracing;

import org.jspecify.annotations.NullMarked;
