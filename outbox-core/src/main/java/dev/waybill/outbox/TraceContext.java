package dev.waybill.outbox;

import java.util.Map;

/**
 * Where an append finds the trace it belongs to. Thread-safe. With OpenTelemetry: inject the current context into
 * a map with the W3C propagator.
 */
@FunctionalInterface
public interface TraceContext {
    /** Captures nothing. */
    TraceContext NONE = Map::of;

    /**
     * The current context as W3C headers: {@code traceparent} and, if there is one, {@code tracestate}; empty
     * outside.
     */
    Map<String, String> current();

    /** The context that this message continues, in the same form. Default: {@link #current()}. */
    default Map<String, String> of(OutboxMessage message) {
        return current();
    }
}
