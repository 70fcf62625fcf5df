package dev.waybill.deadletter.monitor;

import java.util.Map;

/** A registry of metrics. Tags are entity, reason and kind. */
public interface MetricSink {
    void gauge(String name, Map<String, String> tags, double value);

    void count(String name, Map<String, String> tags);
}
