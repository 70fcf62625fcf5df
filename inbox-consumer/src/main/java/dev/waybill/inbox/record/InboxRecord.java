package dev.waybill.inbox.record;

import dev.waybill.inbox.connect.Backend;
import org.jspecify.annotations.Nullable;

/**
 * What the database knew of a message when it was recorded.
 *
 * @param first whether the id is new and recorded in this transaction
 * @param otherContent whether the id was recorded for a message with another subject or body
 * @param holdKey key of the hold that the message must join; null if it may be handled
 * @param deferred whether the message was deferred
 * @param wanted whether a message of its session is resumed
 * @param backend the server process of this transaction
 * @param snapshot a lower bound of what the handler sees, as pg_snapshot text; null in a batch
 */
public record InboxRecord(
        boolean first,
        boolean otherContent,
        @Nullable String holdKey,
        boolean deferred,
        boolean wanted,
        Backend backend,
        @Nullable String snapshot) {
    public boolean mayBeHandled() {
        return first && holdKey == null;
    }
}
