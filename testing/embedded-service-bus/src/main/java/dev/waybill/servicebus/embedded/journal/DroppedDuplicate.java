package dev.waybill.servicebus.embedded.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An acknowledged send that was dropped, because its message id was seen within the duplicate window.
 *
 * @param at wall time
 */
public record DroppedDuplicate(
        @Nullable String messageId, @Nullable String sessionId, Instant at) {}
