package dev.waybill.deadletter.monitor;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Where alerts go. Called by one thread at a time; what it throws is logged and disturbs nobody else. */
@FunctionalInterface
public interface AlertSink {
    /** Somebody should know this. */
    void raise(Alert alert);

    /**
     * How many open dead letters there are, at each look and for each entity and reason; 0 once there are none any more.
     *
     * @param oldest age of the oldest since it was collected
     */
    default void observed(String entity, String reason, long depth, Duration oldest) {}

    /** Into the log, as warnings; summaries as information. */
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
     * As gauges {@code dlq.depth} and {@code dlq.oldest.age} (seconds) and a counter {@code dlq.alerts}. The tag {@code reason}
     * has at most 20 values for each entity, the first that were seen; all other reasons are {@code (others)} together.
     */
    static AlertSink metric(MetricSink metrics) {
        return new MetricAlerts(metrics);
    }

    /** As JSON by HTTP POST; what the other side does not take within ten seconds is logged. */
    static AlertSink webhook(URI address) {
        return new WebhookAlerts(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build(), address);
    }

    /**
     * Something that somebody should know.
     *
     * @param entity the queue or subscription; empty for the summary of all
     * @param reason of the dead letters; null if it is about all of the entity's
     * @param text for a person
     */
    public record Alert(Kind kind, String entity, @Nullable String reason, double value, String text) {
        /** The subject of an alert. */
        public enum Kind {
            /** Too many are open; the value is their number. */
            DEPTH,
            /** One has been open for too long; the value is its age in seconds. */
            AGE,
            /** Too many come; the value is their number in the last minute. */
            ARRIVALS,
            /** Nobody collects; the value is how many were seen on the broker, or -1 if nobody has looked. */
            UNCOLLECTED,
            /** Collecting fails; the value is since how many seconds. */
            FAILING,
            /** How things stand; the value is how many are open. */
            SUMMARY
        }
    }
}
