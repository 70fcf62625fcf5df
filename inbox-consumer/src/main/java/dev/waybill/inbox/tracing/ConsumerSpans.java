package dev.waybill.inbox.tracing;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.tracing.MessageSpans;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Creates a span for each attempt of a handler, as a child of the message's span, and one for the settlement. Messages that the handler
 * appends with {@code MessageSpans} continue the trace. Thread-safe.
 *
 * <pre>{@code
 * var spans = ConsumerSpans.of(openTelemetry);
 * InboxConsumer.builder(dataSource).handler(spans.around(handler)).listener(spans)...
 * }</pre>
 */
public final class ConsumerSpans implements ConsumerListener {
    private final Tracer tracer;
    private final Map<String, Context> handled = new ConcurrentHashMap<>();

    private ConsumerSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    public static ConsumerSpans of(OpenTelemetry telemetry) {
        return new ConsumerSpans(telemetry.getTracer("dev.waybill.inbox"));
    }

    /** Wraps a handler: each call gets a span. */
    public Handler around(Handler handler) {
        return (tx, message) -> process(handler, tx, message);
    }

    private Verdict process(Handler handler, DSLContext tx, InboundMessage message) throws Exception {
        Context creation = MessageSpans.creationOf(message.headers());
        Span span = span("process", "process", message)
                .setSpanKind(SpanKind.CONSUMER)
                .setParent(creation)
                .setAttribute("messaging.servicebus.message.delivery_count", message.deliveryCount())
                .startSpan();
        Context context = creation.with(span);
        handled.put(key(message), context);
        try {
            Verdict verdict = context.wrap(() -> handler.handle(tx, message)).call();
            span.setAttribute("waybill.verdict", verdict.getClass().getSimpleName());
            return verdict;
        } catch (Exception e) {
            span.recordException(e);
            span.setStatus(StatusCode.ERROR);
            throw e;
        } finally {
            span.end();
        }
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        @Nullable Context context = handled.remove(key(message));
        Context parent = context != null ? context : MessageSpans.creationOf(message.headers());
        span(label(outcome), "settle", message)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(parent)
                .setAttribute("waybill.outcome", outcome.name())
                .startSpan()
                .end();
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        handled.remove(key(message));
    }

    @Override
    public void lockLost(InboundMessage message) {
        handled.remove(key(message));
    }

    private SpanBuilder span(String name, String type, InboundMessage message) {
        return tracer.spanBuilder(name + " " + message.entity())
                .setAttribute("messaging.system", "servicebus")
                .setAttribute("messaging.operation.name", name)
                .setAttribute("messaging.operation.type", type)
                .setAttribute("messaging.destination.name", message.entity())
                .setAttribute("messaging.message.id", message.brokerMessageId());
    }

    private static String label(Outcome outcome) {
        return switch (outcome) {
            case DONE, DUPLICATE, OTHER_CONTENT, HELD -> "complete";
            case DEAD_LETTERED -> "dead_letter";
            case DEFERRED -> "defer";
            case ABANDONED -> "abandon";
            case DROPPED -> "drop";
        };
    }

    private static String key(InboundMessage message) {
        return message.entity() + '/' + message.sequenceNumber();
    }
}
