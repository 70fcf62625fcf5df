package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/**
 * What the database knew of a message when it was recorded.
 *
 * @param first whether the id is new; it is recorded in this transaction then
 * @param holdKey the hold the message must join, as the database writes its key; null if it may be handled
 * @param deferred whether the message was deferred before
 * @param backend where this transaction runs
 */
record Admission(boolean first, @Nullable String holdKey, boolean deferred, Backend backend) {
    boolean mayBeHandled() {
        return first && holdKey == null;
    }
}
