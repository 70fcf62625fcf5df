/** The relay's part of a trace, for processes that use OpenTelemetry; needs its API on the class path. */
@NullMarked
package dev.waybill.relay.tracing;

import org.jspecify.annotations.NullMarked;
