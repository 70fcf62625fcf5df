package dev.waybill.standalone.database;

import java.time.Instant;

/**
 * The state of a live relay at a destination.
 *
 * @param state such as flowing, unavailable, throttled or failing
 * @param detail the last error, if there is one
 * @param owner whether it publishes; other relays stand by
 */
public record RelayLoop(String relay, String state, Instant since, String detail, boolean owner) {}
