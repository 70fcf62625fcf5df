package dev.waybill.standalone.database;

import java.util.Optional;

/**
 * An alarm of an outbox.
 *
 * @param name a stable word: no-relay, unowned, stalled, refused, parked, paused
 * @param severity critical or warning
 */
public record Alarm(String name, String severity, Optional<String> destination, String detail) {
    public boolean isCritical() {
        return severity.equals("critical");
    }
}
