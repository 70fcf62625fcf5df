/** The outbox's part of a trace, for applications that use OpenTelemetry; needs its API on the class path. */
@NullMarked
package dev.waybill.outbox.tracing;

import org.jspecify.annotations.NullMarked;
