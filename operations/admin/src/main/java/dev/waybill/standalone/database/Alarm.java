package dev.waybill.standalone.database;

import java.util.Optional;

/**
 * Something an operator should know, as the database tells it.
 *
 * @param name a stable word: no-relay, unowned, stalled, refused, parked, paused
 * @param severity critical or warning
 */
public record Alarm(String name, String severity, Optional<String> destination, String detail) {
    /** Whether somebody should get up. */
    public boolean isCritical() {
        return severity.equals("critical");
    }
}
