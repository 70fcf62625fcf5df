package dev.waybill.relay;

import java.time.Instant;

/**
 * A destination that accepts no message: it is missing, disabled, full, or access is denied.
 *
 * @param reason a short name of the cause
 * @param description the broker's message
 * @param since when the refusal began
 * @param seen when it was last met; relays retry at least once a minute
 */
public record Refusal(String reason, String description, Instant since, Instant seen) {}
