package dev.waybill.outbox;

import dev.waybill.message.WireContract;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the encoded body, the trace and the name of the writer to each message. */
record MessageEnricher(
        @Nullable PayloadCodec codec,
        TraceContext traceContext,
        @Nullable String source) {

    OutboxMessage enrich(OutboxMessage message) {
        Map<String, String> trace = traceContext.of(message);
        if (codec == null && trace.isEmpty() && source == null) {
            return message;
        }
        var builder = message.toBuilder();
        if (codec != null) {
            PayloadCodec.Encoded encoded = codec.encode(message);
            builder.body = encoded.body();
            builder.headers.putAll(encoded.headers());
        }
        addTrace(builder, trace);
        if (source != null) {
            builder.headers.put(WireContract.SOURCE, source);
        }
        return new OutboxMessage(builder);
    }

    // Keeps a trace that the application has set. The Azure SDK reads Diagnostic-Id first and overwrites neither.
    private static void addTrace(OutboxMessage.Builder builder, Map<String, String> trace) {
        String parent = trace.get(WireContract.TRACEPARENT);
        if (parent == null || builder.headers.containsKey(WireContract.TRACEPARENT)) {
            return;
        }
        builder.headers.put(WireContract.TRACEPARENT, parent);
        builder.headers.put(WireContract.DIAGNOSTIC_ID, parent);
        String state = trace.get(WireContract.TRACESTATE);
        if (state != null) {
            builder.headers.put(WireContract.TRACESTATE, state);
        }
    }
}
