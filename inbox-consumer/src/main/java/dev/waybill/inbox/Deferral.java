package dev.waybill.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that lies deferred on the broker, or in a hold of its own if it came out of one.
 *
 * @param messageId the logical id
 * @param deferKey by which it is resumed
 * @param session null on an entity without sessions
 * @param sequenceNumber by which the broker finds it
 * @param resumeAt when it is fetched, or tried to be fetched again; null if nobody has resumed it
 * @param tries how often it could not be fetched since
 */
public record Deferral(
        String messageId,
        String deferKey,
        @Nullable String session,
        long sequenceNumber,
        Instant deferredAt,
        @Nullable Instant resumeAt,
        int tries) {}
