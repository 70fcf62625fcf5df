/** The consumer's part of a trace, for applications that use OpenTelemetry; needs its API on the class path. */
@NullMarked
package dev.waybill.inbox.tracing;

import org.jspecify.annotations.NullMarked;
