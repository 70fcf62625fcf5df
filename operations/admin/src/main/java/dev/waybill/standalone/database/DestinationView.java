package dev.waybill.standalone.database;

import java.util.Optional;

/**
 * A destination.
 *
 * @param oldestAgeSeconds the age of the oldest pending message; 0 without any
 * @param paused the reason of a pause
 * @param refused the reason of the broker's refusal
 */
public record DestinationView(
        String name,
        long pending,
        double oldestAgeSeconds,
        Held held,
        Optional<String> paused,
        Optional<String> refused) {
    public record Held(long sessions, long messages) {}
}
