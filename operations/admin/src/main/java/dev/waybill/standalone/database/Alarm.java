package dev.waybill.standalone.database;

import java.util.Optional;

/** An alarm: no-relay, unowned, stalled, two-namespaces, two-spellings, refused, parked or paused, with severity critical or warning. */
public record Alarm(String name, String severity, Optional<String> destination, String detail) {
    public boolean isCritical() {
        return severity.equals("critical");
    }
}
