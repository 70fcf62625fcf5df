package dev.waybill.outbox.tracing;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.TraceContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates a span for each appended message, as a child of the current span; the message carries it to relay and consumer. Names
 * and attributes follow OpenTelemetry's conventions for messaging. Thread-safe.
 *
 * <pre>{@code
 * Outbox.builder().traceContext(MessageSpans.of(openTelemetry)).build()
 * }</pre>
 */
public final class MessageSpans implements TraceContext {
    private static final TextMapGetter<Map<String, Object>> HEADERS = new Headers();

    private final Tracer tracer;

    private MessageSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    public static MessageSpans of(OpenTelemetry telemetry) {
        return new MessageSpans(telemetry.getTracer("dev.waybill.outbox"));
    }

    @Override
    public Map<String, String> current() {
        return inject(Context.current());
    }

    @Override
    public Map<String, String> of(OutboxMessage message) {
        Span span = tracer.spanBuilder("create " + message.destination())
                .setSpanKind(SpanKind.PRODUCER)
                .setAttribute("messaging.system", "servicebus")
                .setAttribute("messaging.operation.name", "create")
                .setAttribute("messaging.operation.type", "create")
                .setAttribute("messaging.destination.name", message.destination())
                .setAttribute("messaging.message.id", message.id())
                .startSpan();
        try {
            return inject(Context.current().with(span));
        } finally {
            span.end();
        }
    }

    private static Map<String, String> inject(Context context) {
        var carrier = new HashMap<String, String>();
        W3CTraceContextPropagator.getInstance().inject(context, carrier, Map::put);
        return carrier;
    }

    /** The context in which a message was created, from its headers; the root context if they have none. */
    public static Context creationOf(Map<String, Object> headers) {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
    }

    private static final class Headers implements TextMapGetter<Map<String, Object>> {
        // Deprecated, but still abstract.
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
