package dev.waybill.hold;

import java.time.Instant;

/** Number of holds with equal scope, reason and state; the oldest began at {@code since}. */
public record HoldGroup(String scope, String reason, HoldState state, long holds, Instant since) {}
