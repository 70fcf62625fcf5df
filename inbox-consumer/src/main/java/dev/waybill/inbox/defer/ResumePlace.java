package dev.waybill.inbox.defer;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where deferred messages are: a session, or one message without.
 *
 * @param alone key of the message; null for a session
 */
public record ResumePlace(
        @Nullable String session, @Nullable UUID alone) {
    /** A session. */
    public static ResumePlace of(String session) {
        return new ResumePlace(session, null);
    }
}
