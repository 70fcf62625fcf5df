package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message handed to a receiver.
 *
 * @param sequenceNumber the message's number in its entity
 * @param messageId its id, or null
 * @param sessionId its session, or null
 * @param deliveryCount how often it was delivered without success before: 0 the first time
 * @param at when, by the wall clock
 */
public record Delivered(
        long sequenceNumber,
        @Nullable String messageId,
        @Nullable String sessionId,
        int deliveryCount,
        Instant at) {}
