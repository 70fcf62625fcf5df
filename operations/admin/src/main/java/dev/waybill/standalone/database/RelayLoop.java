package dev.waybill.standalone.database;

import java.time.Instant;

/** The state of a live relay at a destination, such as flowing, unavailable, throttled or failing; only the owner publishes. */
public record RelayLoop(String relay, String state, Instant since, String detail, boolean owner) {}
