package dev.waybill.standalone.database;

import java.util.Optional;

/**
 * A destination as the database knows it.
 *
 * @param pending messages that wait to be published
 * @param oldestAgeSeconds how long the oldest of them has waited; 0 without any
 * @param heldSessions sessions and messages on hold
 * @param paused why it is paused
 * @param refused why the broker takes nothing
 */
public record DestinationView(
        String name,
        long pending,
        double oldestAgeSeconds,
        long heldSessions,
        long heldMessages,
        Optional<String> paused,
        Optional<String> refused) {}
