package dev.waybill.standalone.database;

import java.time.Instant;

/**
 * The work of a living relay for a destination.
 *
 * @param state as the relay tells it: flowing, unavailable, throttled, failing, and others
 * @param since when it came into this state
 * @param detail the last error, if the state comes from one
 * @param owner whether it publishes the destination's messages; others stand by
 */
public record RelayLoop(String relay, String state, Instant since, String detail, boolean owner) {}
