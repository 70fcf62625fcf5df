package dev.waybill.standalone.database;

import java.util.Optional;

/** A destination with its backlog, the reason of a pause, and the reason of the broker's refusal. */
public record DestinationView(
        String name,
        long pending,
        double oldestAgeSeconds,
        Held held,
        Optional<String> paused,
        Optional<String> refused) {
    public record Held(long sessions, long messages) {}
}
