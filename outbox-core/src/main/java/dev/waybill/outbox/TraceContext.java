package dev.waybill.outbox;

import java.util.Map;

/**
 * Finds the trace of an append. With OpenTelemetry, inject the current context into a map by the W3C propagator. Thread-safe.
 */
@FunctionalInterface
public interface TraceContext {
    /** No trace. */
    TraceContext NONE = Map::of;

    /** The current context as W3C headers, {@code traceparent} and optionally {@code tracestate}; empty without a trace. */
    Map<String, String> current();

    /** The context that this message continues. Default: {@link #current()}. */
    default Map<String, String> of(OutboxMessage message) {
        return current();
    }
}
