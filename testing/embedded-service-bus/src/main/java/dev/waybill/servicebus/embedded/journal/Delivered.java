package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to a receiver.
 *
 * @param deliveryCount earlier failed deliveries; 0 the first time
 * @param at wall time
 */
public record Delivered(
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String sessionId,
        int deliveryCount,
        Instant at) {}
