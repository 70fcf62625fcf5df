package dev.waybill.spring.instruments;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.tracing.ConsumerSpans;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.tracing.SendSpans;
import io.opentelemetry.api.OpenTelemetry;

/** Traces by OpenTelemetry. */
final class Spans implements Instruments {
    private final OpenTelemetry telemetry;

    Spans(OpenTelemetry telemetry) {
        this.telemetry = telemetry;
    }

    @Override
    public Publisher around(Publisher publisher) {
        return SendSpans.around(publisher, telemetry);
    }

    @Override
    public Watched watch(String consumer, Handler handler) {
        ConsumerSpans spans = ConsumerSpans.of(telemetry);
        return new Watched(spans.around(handler), spans);
    }
}
