package dev.waybill.deadletter.monitor;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Alerts as metrics. A registry keeps each tag forever, so only the first reasons of an entity become tags. */
final class MetricAlerts implements AlertSink {
    static final int MOST_REASONS = 20;
    static final String OTHERS = "(others)";
    private static final int LONGEST_REASON = 100;

    private final MetricSink metrics;
    private final Map<String, OfEntity> entities = new HashMap<>();

    MetricAlerts(MetricSink metrics) {
        this.metrics = metrics;
    }

    @Override
    public void raise(AlertSink.Alert alert) {
        metrics.count("waybill.dlq.alerts", Map.of("kind", alert.kind().name(), "entity", alert.entity()));
    }

    @Override
    public void observed(String entity, String reason, long depth, Duration oldest) {
        OfEntity known = entities.computeIfAbsent(entity, name -> new OfEntity());
        if (known.names(reason)) {
            gauge(entity, reason, new Reading(depth, oldest));
        } else {
            gauge(entity, OTHERS, known.others(reason, new Reading(depth, oldest)));
        }
    }

    private void gauge(String entity, String reason, Reading reading) {
        Map<String, String> tags = Map.of("entity", entity, "reason", reason);
        metrics.gauge("waybill.dlq.depth", tags, (double) reading.depth);
        metrics.gauge("waybill.dlq.oldest.age", tags, reading.oldest.toMillis() / 1_000.0);
    }

    private static final class OfEntity {
        private final Set<String> named = new HashSet<>();
        private final Map<String, Reading> others = new HashMap<>();
        private final TreeMap<Duration, Integer> ages = new TreeMap<>();
        private long depth;

        boolean names(String reason) {
            return named.contains(reason)
                    || (reason.length() <= LONGEST_REASON && named.size() < MOST_REASONS && named.add(reason));
        }

        Reading others(String reason, Reading reading) {
            count(others.remove(reason), -1);
            if (reading.depth > 0) {
                others.put(reason, reading);
                count(reading, 1);
            }
            return new Reading(depth, ages.isEmpty() ? Duration.ZERO : ages.lastKey());
        }

        private void count(@Nullable Reading reading, int sign) {
            if (reading != null) {
                depth += sign * reading.depth;
                if (ages.merge(reading.oldest, sign, Integer::sum) == 0) {
                    ages.remove(reading.oldest);
                }
            }
        }
    }

    private record Reading(long depth, Duration oldest) {}
}
