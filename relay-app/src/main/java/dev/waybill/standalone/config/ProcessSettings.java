package dev.waybill.standalone.config;

import java.time.Duration;
import java.util.Optional;

/** How this process presents itself. */
public record ProcessSettings(
        String instance,
        Duration shutdownDeadline,
        String httpBind,
        int httpPort,
        LogFormat logFormat,
        String logLevel,
        Duration metricsInterval,
        Optional<String> metricsEndpoint,
        Optional<String> tracingEndpoint,
        double sampleRatio) {
    /** How log lines look. */
    public enum LogFormat {
        /** Text on a terminal, JSON elsewhere. */
        AUTO,
        /** One object a line. */
        JSON,
        /** For people. */
        TEXT
    }
}
