package dev.waybill.relay;

import java.time.Instant;

/**
 * A destination that takes no message at all: it is missing, disabled, full, or not ours to send to.
 *
 * @param reason a short name of the trouble
 * @param description what the broker said
 * @param since when it began
 * @param seen when it was met last; relays go on trying, at least once a minute
 */
public record Refusal(String reason, String description, Instant since, Instant seen) {}
