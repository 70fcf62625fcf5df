package dev.waybill.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that lies deferred on the broker, or in a hold of its own if it came out of one.
 *
 * @param messageId the logical id
 * @param deferKey the key by which it is resumed
 * @param place where it lies
 * @param resumeAt when it is fetched, or tried to be fetched again; null if nobody has resumed it
 * @param tries how often it could not be fetched since
 */
public record Deferral(
        String messageId,
        String deferKey,
        Place place,
        Instant deferredAt,
        @Nullable Instant resumeAt,
        int tries) {
    /** The session of the message; null on an entity without sessions. */
    public @Nullable String session() {
        return place.session();
    }

    /** The number by which the broker finds the message. */
    public long sequenceNumber() {
        return place.sequenceNumber();
    }

    /**
     * Where a deferred message lies on the broker.
     *
     * @param session null on an entity without sessions
     * @param sequenceNumber the number by which the broker finds it
     */
    public record Place(@Nullable String session, long sequenceNumber) {}
}
