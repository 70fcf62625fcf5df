package dev.waybill.standalone.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** How this process presents itself. */
public record ProcessSettings(
        String instance, Duration shutdownDeadline, Http http, Logs logs, Metrics metrics, Tracing tracing) {
    /** Where probes and metrics are served. */
    public record Http(String bind, int port) {}

    /**
     * How the process logs.
     *
     * @param levelFile changes the level while the process runs
     */
    public record Logs(LogFormat format, String level, Path levelFile) {}

    /**
     * How metrics are taken.
     *
     * @param endpoint where they are sent; empty if they are only scraped
     */
    public record Metrics(Duration interval, Optional<String> endpoint) {}

    /**
     * How spans are taken.
     *
     * @param endpoint where they are sent; empty if none are taken
     */
    public record Tracing(Optional<String> endpoint, double sampleRatio) {}

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
