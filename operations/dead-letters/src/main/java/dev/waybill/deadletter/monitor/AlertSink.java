package dev.waybill.deadletter.monitor;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Receives alerts, from one thread at a time. Exceptions are logged, and affect no other sink. */
@FunctionalInterface
public interface AlertSink {
    void raise(Alert alert);

    /** Reports the open letters of an entity and reason at each check, and the time since the oldest was collected. */
    default void observed(String entity, String reason, long depth, Duration oldest) {}

    /** Logs alerts as warnings, and summaries as information. */
    static AlertSink log() {
        var log = LoggerFactory.getLogger("dev.waybill.deadletter.alerts");
        return alert -> {
            if (alert.kind() == Alert.Kind.SUMMARY) {
                log.info("{}", alert.text());
            } else {
                log.warn("{}: {}", alert.kind(), alert.text());
            }
        };
    }

    /**
     * Gauges {@code dlq.depth} and {@code dlq.oldest.age} (seconds), and a counter {@code dlq.alerts}. The tag {@code reason}
     * has at most 20 values for each entity, and {@code (others)} for the rest.
     */
    static AlertSink metric(MetricSink metrics) {
        return new MetricAlerts(metrics);
    }

    /** JSON by HTTP POST. A failure, or no answer within ten seconds, is logged. */
    static AlertSink webhook(URI address) {
        return new WebhookAlerts(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build(), address);
    }

    /** An alert. The entity is empty for a summary; the reason is null if all letters of the entity are meant. */
    record Alert(Kind kind, String entity, @Nullable String reason, double value, String text) {
        public enum Kind {
            /** Too many letters are open; the value is their number. */
            DEPTH,
            /** A letter has been open for too long; the value is its age in seconds. */
            AGE,
            /** Too many letters arrive; the value is their number in the last minute. */
            ARRIVALS,
            /** No collector runs; the value is the number of letters on the broker, or -1 if it is unknown. */
            UNCOLLECTED,
            /** Collecting fails; the value is since how many seconds. */
            FAILING,
            SUMMARY
        }
    }
}
