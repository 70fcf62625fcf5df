package dev.waybill.outbox.tracing;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The trace that a message belongs to, as its headers name it. */
public final class TraceHeaders {
    private static final TextMapGetter<Map<String, Object>> VALUES = new Values();

    private TraceHeaders() {}

    /** The context in which the message was created; a root if its headers name none. */
    public static Context creationOf(Map<String, Object> headers) {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, VALUES);
    }

    private static final class Values implements TextMapGetter<Map<String, Object>> {
        // Deprecated, and still without a default.
        @SuppressWarnings("deprecation")
        @Override
        public Iterable<String> keys(Map<String, Object> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, Object> headers, String name) {
            Object value = headers == null ? null : headers.get(name);
            return value == null ? null : value.toString();
        }
    }
}
