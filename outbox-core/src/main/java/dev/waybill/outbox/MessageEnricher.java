package dev.waybill.outbox;

import dev.waybill.message.BrokerNames;
import dev.waybill.message.WireContract;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the encoded body, the trace, the name of the writer and the attributes of a CloudEvent to each message. */
record MessageEnricher(
        @Nullable PayloadCodec codec,
        TraceContext traceContext,
        @Nullable String source,
        boolean cloudEvents) {

    OutboxMessage enrich(OutboxMessage message) {
        Map<String, String> trace = traceContext.of(message);
        if (codec == null && trace.isEmpty() && source == null) {
            return message;
        }
        var builder = message.toBuilder();
        if (codec != null) {
            PayloadCodec.Encoded encoded = codec.encode(message);
            builder.body = encoded.body();
            encoded.headers().forEach((name, value) -> addHeader(builder, message, name, value));
        }
        if (cloudEvents) {
            addCloudEvent(builder, message, String.valueOf(source));
        }
        if (codec != null || cloudEvents) {
            MessageRules.checkHeaders(new OutboxMessage(builder));
        }
        addTrace(builder, trace);
        if (source != null) {
            builder.headers.put(WireContract.SOURCE, source);
        }
        return new OutboxMessage(builder);
    }

    private static void addHeader(OutboxMessage.Builder builder, OutboxMessage message, String name, String value) {
        if (WireContract.isReserved(name) || has(builder, name)) {
            throw new InvalidMessageException(message + " gets the header '" + name + "' from its codec, and "
                    + (has(builder, name) ? "has one already" : "only Waybill sets such"));
        }
        builder.headers.put(name, value);
    }

    private static boolean has(OutboxMessage.Builder builder, String name) {
        return builder.headers.keySet().stream().anyMatch(known -> BrokerNames.same(known, name));
    }

    private static void addCloudEvent(OutboxMessage.Builder builder, OutboxMessage message, String source) {
        String type = message.subject()
                .filter(subject -> !subject.isBlank())
                .orElseThrow(() ->
                        new InvalidMessageException(message + " has no subject, which is the type of a CloudEvent"));
        Map<String, String> attributes =
                Map.of("specversion", "1.0", "id", message.id(), "source", source, "type", type);
        attributes.forEach((name, value) -> {
            if (has(builder, "cloudEvents:" + name)) {
                throw new InvalidMessageException(message + " has the header 'cloudEvents:" + name
                        + "' already, which the outbox sets for each CloudEvent");
            }
            builder.headers.put("cloudEvents:" + name, value);
        });
    }

    // Keeps a trace that the application has set. The Azure SDK reads Diagnostic-Id first and overwrites neither.
    private static void addTrace(OutboxMessage.Builder builder, Map<String, String> trace) {
        String parent = trace.get(WireContract.TRACEPARENT);
        if (parent == null || has(builder, WireContract.TRACEPARENT) || has(builder, WireContract.DIAGNOSTIC_ID)) {
            return;
        }
        builder.headers.put(WireContract.TRACEPARENT, parent);
        builder.headers.put(WireContract.DIAGNOSTIC_ID, parent);
        String state = trace.get(WireContract.TRACESTATE);
        if (state != null && !has(builder, WireContract.TRACESTATE)) {
            builder.headers.put(WireContract.TRACESTATE, state);
        }
    }
}
