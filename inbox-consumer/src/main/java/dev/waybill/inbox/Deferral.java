package dev.waybill.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A deferred message. The broker keeps it; a message that came out of a hold waits in a hold of its own.
 *
 * @param messageId the logical id
 * @param deferKey the key that resumes it
 * @param resumeAt time of the next attempt to fetch it; null if it was not resumed
 * @param tries failed attempts to fetch it
 */
public record Deferral(
        String messageId,
        String deferKey,
        Place place,
        Instant deferredAt,
        @Nullable Instant resumeAt,
        int tries) {
    /** Null on an entity without sessions. */
    public @Nullable String session() {
        return place.session();
    }

    public long sequenceNumber() {
        return place.sequenceNumber();
    }

    /** Where the broker keeps a deferred message: its session, null on an entity without sessions, and its number there. */
    public record Place(@Nullable String session, long sequenceNumber) {}
}
