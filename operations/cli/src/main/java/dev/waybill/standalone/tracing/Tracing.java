package dev.waybill.standalone.tracing;

import dev.waybill.relay.Publisher;
import dev.waybill.relay.tracing.SendSpans;
import dev.waybill.standalone.config.ProcessSettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Exports spans of sends to the configured endpoint. Thread-safe. */
public final class Tracing implements AutoCloseable {
    private static final Duration LAST_EXPORT = Duration.ofSeconds(3);

    private final @Nullable OpenTelemetrySdk telemetry;

    /** Without an endpoint, no span is recorded. */
    public Tracing(ProcessSettings settings) {
        telemetry = settings.tracing()
                .endpoint()
                .map(endpoint -> telemetry(settings, endpoint))
                .orElse(null);
    }

    private static OpenTelemetrySdk telemetry(ProcessSettings settings, String endpoint) {
        var resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        "waybill-relay",
                        AttributeKey.stringKey("service.instance.id"),
                        settings.instance())));
        var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setResource(resource)
                        .setSampler(Sampler.parentBased(
                                Sampler.traceIdRatioBased(settings.tracing().sampleRatio())))
                        .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                        .build())
                .build();
    }

    public Publisher around(Publisher publisher) {
        return telemetry == null ? publisher : SendSpans.around(publisher, telemetry);
    }

    @Override
    public void close() {
        if (telemetry != null) {
            telemetry
                    .getSdkTracerProvider()
                    .shutdown()
                    .join(LAST_EXPORT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
        }
    }
}
