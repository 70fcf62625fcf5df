package dev.waybill.inbox.record;

import dev.waybill.inbox.connect.Backend;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of the database about a message when it was recorded.
 *
 * @param first whether the id is new; it is recorded in this transaction then
 * @param holdKey the hold the message must join, as the database writes its key; null if it may be handled
 * @param deferred whether the message was deferred before
 * @param wanted whether a deferred message of its session is wanted back
 * @param backend where this transaction runs
 * @param snapshot what the handler can see at least, as PostgreSQL writes it; null in a batch
 */
public record InboxRecord(
        boolean first,
        @Nullable String holdKey,
        boolean deferred,
        boolean wanted,
        Backend backend,
        @Nullable String snapshot) {
    public boolean mayBeHandled() {
        return first && holdKey == null;
    }
}
