package dev.waybill.standalone.database;

import java.time.Instant;

/** A relay, alive while its heartbeat is current, and the number of its destinations. */
public record RelayView(String name, Instant startedAt, Instant aliveUntil, boolean alive, int destinations) {}
