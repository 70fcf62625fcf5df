package dev.waybill.hold;

import java.time.Instant;

/**
 * Holds of one scope, reason and state.
 *
 * @param holds how many
 * @param since when the oldest of them began
 */
public record HoldGroup(String scope, String reason, HoldState state, long holds, Instant since) {}
