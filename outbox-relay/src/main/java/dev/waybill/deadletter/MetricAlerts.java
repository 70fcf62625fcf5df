package dev.waybill.deadletter;

import java.time.Duration;
import java.util.Map;

/** Readings as gauges, alerts as a counter. */
record MetricAlerts(MetricSink metrics) implements AlertSink {
    @Override
    public void raise(DeadLetterAlert alert) {
        metrics.count("dlq.alerts", Map.of("kind", alert.kind().name(), "entity", alert.entity()));
    }

    @Override
    public void observed(String entity, String reason, long depth, Duration oldest) {
        Map<String, String> tags = Map.of("entity", entity, "reason", reason);
        metrics.gauge("dlq.depth", tags, (double) depth);
        metrics.gauge("dlq.oldest.age", tags, oldest.toMillis() / 1_000.0);
    }
}
