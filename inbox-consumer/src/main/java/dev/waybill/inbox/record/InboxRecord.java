package dev.waybill.inbox.record;

import dev.waybill.inbox.connect.Backend;
import org.jspecify.annotations.Nullable;

/**
 * What the database knew of a message when it was recorded.
 *
 * @param id whether the id is new
 * @param holdKey key of the hold that the message must join; null if it may be handled
 * @param deferred whether the message was deferred
 * @param wanted whether a message of its session is resumed
 * @param backend the server process of this transaction
 * @param snapshot a lower bound of what the handler sees, as pg_snapshot text; null in a batch
 */
public record InboxRecord(
        Id id,
        @Nullable String holdKey,
        boolean deferred,
        boolean wanted,
        Backend backend,
        @Nullable String snapshot) {
    public enum Id {
        /** Recorded in this transaction. */
        NEW,
        /** Recorded before, for a message with this subject and body. */
        REPEATED,
        /** Recorded before, for a message with another subject or body. */
        OF_OTHER_CONTENT;

        static Id of(boolean isNew, boolean otherContent) {
            if (isNew) {
                return NEW;
            }
            return otherContent ? OF_OTHER_CONTENT : REPEATED;
        }
    }

    public boolean first() {
        return id == Id.NEW;
    }

    public boolean mayBeHandled() {
        return first() && holdKey == null;
    }
}
