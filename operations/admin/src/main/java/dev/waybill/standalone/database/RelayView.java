package dev.waybill.standalone.database;

import java.time.Instant;

/**
 * A relay as the database knows it.
 *
 * @param alive whether it has said so in time
 * @param lanes how many it owns, 32 for each destination
 */
public record RelayView(String name, Instant startedAt, Instant aliveUntil, boolean alive, int lanes) {}
