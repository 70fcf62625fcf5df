package dev.waybill.standalone.database;

import java.time.Instant;

/**
 * A relay.
 *
 * @param alive whether its heartbeat is current
 * @param destinations how many it owns
 */
public record RelayView(String name, Instant startedAt, Instant aliveUntil, boolean alive, int destinations) {}
