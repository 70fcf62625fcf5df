package dev.waybill.deadletter.monitor;

import java.util.Map;

/** A registry of metrics, whichever it is. Tags are few: entity, reason, kind. */
public interface MetricSink {
    /** The value is so much now. */
    void gauge(String name, Map<String, String> tags, double value);

    /** It has happened once more. */
    void count(String name, Map<String, String> tags);
}
