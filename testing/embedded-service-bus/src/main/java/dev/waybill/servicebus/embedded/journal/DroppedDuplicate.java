package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A send that was acknowledged and not stored, because its message id had been seen within the duplicate window.
 *
 * @param messageId the id seen before
 * @param sessionId its session, or null
 * @param at when, by the wall clock
 */
public record DroppedDuplicate(
        @Nullable String messageId, @Nullable String sessionId, Instant at) {}
