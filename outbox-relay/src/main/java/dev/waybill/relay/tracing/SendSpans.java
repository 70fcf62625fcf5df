package dev.waybill.relay.tracing;

import dev.waybill.outbox.tracing.MessageSpans;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.supervision.Fault;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Creates a span for each shipment with traced messages. The span of a single message continues its trace. The span of several
 * messages is a new trace, with a link to each message's. Thread-safe.
 */
public final class SendSpans implements Publisher {
    /** OpenTelemetry's limit on links of a span. */
    private static final int MOST_LINKS = 128;

    private static final String UNTRACED = "Sends are not traced";

    private final Fault fault = new Fault(LoggerFactory.getLogger(SendSpans.class), System::nanoTime);
    private final Publisher publisher;
    private final Tracer tracer;

    private SendSpans(Publisher publisher, Tracer tracer) {
        this.publisher = publisher;
        this.tracer = tracer;
    }

    /** Wraps a publisher, and closes it with this one. */
    public static SendSpans around(Publisher publisher, OpenTelemetry telemetry) {
        return new SendSpans(publisher, telemetry.getTracer("dev.waybill.relay"));
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        @Nullable Span span = started(shipment);
        CompletionStage<PublishResult> answer = publisher.publish(shipment);
        return span == null ? answer : answer.whenComplete((result, thrown) -> finish(span, result, thrown));
    }

    // A tracing failure must neither delay a message nor repeat an accepted one.
    private @Nullable Span started(Shipment shipment) {
        try {
            List<Context> creations = creations(shipment.rows());
            return creations.isEmpty() ? null : span(shipment, creations).startSpan();
        } catch (RuntimeException | Error e) {
            fault.failed(UNTRACED, e);
            return null;
        }
    }

    private void finish(Span span, @Nullable PublishResult result, @Nullable Throwable thrown) {
        try {
            end(span, result, thrown);
            fault.recovered("Sends are traced again");
        } catch (RuntimeException | Error e) {
            fault.failed(UNTRACED, e);
        }
    }

    private SpanBuilder span(Shipment shipment, List<Context> creations) {
        SpanBuilder span = tracer.spanBuilder("send " + shipment.destination())
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("messaging.system", "servicebus")
                .setAttribute("messaging.operation.name", "send")
                .setAttribute("messaging.operation.type", "send")
                .setAttribute("messaging.destination.name", shipment.destination());
        if (shipment.rows().size() == 1) {
            return span.setParent(creations.get(0))
                    .setAttribute("messaging.message.id", shipment.rows().get(0).brokerMessageId());
        }
        span.setNoParent()
                .setAttribute("messaging.batch.message_count", shipment.rows().size());
        creations.stream().limit(MOST_LINKS).forEach(creation -> span.addLink(spanOf(creation)));
        return span;
    }

    private static void end(Span span, @Nullable PublishResult result, @Nullable Throwable thrown) {
        if (result != null) {
            span.setAttribute("waybill.accepted", result.accepted());
            Throwable failure = result.failure();
            if (failure != null) {
                span.recordException(failure);
            }
            if (result.outcome() != Outcome.ACCEPTED) {
                span.setAttribute("error.type", result.outcome().name().toLowerCase(Locale.ROOT));
                span.setStatus(StatusCode.ERROR);
            }
        } else if (thrown != null) {
            span.recordException(thrown);
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private static List<Context> creations(List<OutboxRow> rows) {
        var creations = new ArrayList<Context>();
        for (OutboxRow row : rows) {
            Context creation = MessageSpans.creationOf(headers(row));
            if (spanOf(creation).isValid()) {
                creations.add(creation);
            }
        }
        return creations;
    }

    // Foreign content may not decode; the publisher deals with that.
    private static Map<String, Object> headers(OutboxRow row) {
        try {
            return row.content().properties();
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }

    private static SpanContext spanOf(Context context) {
        return Span.fromContext(context).getSpanContext();
    }

    @Override
    public CompletionStage<?> prepare(String destination) {
        return publisher.prepare(destination);
    }

    @Override
    public boolean followsEntities() {
        return publisher.followsEntities();
    }

    @Override
    public String place(String destination) {
        return publisher.place(destination);
    }

    @Override
    public Duration longestSend() {
        return publisher.longestSend();
    }

    @Override
    public void close() {
        publisher.close();
    }
}
