package dev.waybill.standalone.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

public record ProcessSettings(
        String instance, Duration shutdownDeadline, Http http, Logs logs, Metrics metrics, Tracing tracing) {
    public record Http(String bind, int port) {}

    /** How the process logs; {@code levelFile} changes levels at run time. */
    public record Logs(LogFormat format, String level, Path levelFile) {}

    /** How the process exports metrics; without an endpoint they are only scraped. */
    public record Metrics(Duration interval, Optional<String> endpoint) {}

    /** How the process exports spans; without an endpoint it exports none. */
    public record Tracing(Optional<String> endpoint, double sampleRatio) {}

    public enum LogFormat {
        /** Text on a terminal, JSON elsewhere. */
        AUTO,
        JSON,
        TEXT
    }
}
