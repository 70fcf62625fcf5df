package dev.waybill.standalone.database;

import java.util.Optional;

/**
 * A destination as the database knows it.
 *
 * @param pending messages that wait to be published
 * @param oldestAgeSeconds how long the oldest of them has waited; 0 without any
 * @param held what is on hold
 * @param paused why it is paused
 * @param refused why the broker takes nothing
 */
public record DestinationView(
        String name,
        long pending,
        double oldestAgeSeconds,
        Held held,
        Optional<String> paused,
        Optional<String> refused) {
    /** How many sessions and messages are on hold. */
    public record Held(long sessions, long messages) {}
}
