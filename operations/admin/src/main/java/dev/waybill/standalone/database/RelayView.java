package dev.waybill.standalone.database;

import java.time.Instant;

/**
 * A relay as the database knows it.
 *
 * @param alive whether it has said so in time
 * @param destinations how many it owns
 */
public record RelayView(String name, Instant startedAt, Instant aliveUntil, boolean alive, int destinations) {}
