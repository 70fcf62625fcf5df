package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import org.jspecify.annotations.Nullable;

/**
 * A row that is not sent but moves to a hold.
 *
 * @param session its session, if it has one
 * @param alone whether the hold is of this message alone, and its session goes on
 * @param cause why it was refused; null if it follows a refused or held one of its session
 */
public record Blocked(
        RowKey key,
        @Nullable String session,
        boolean alone,
        @Nullable Cause cause) {
    static Blocked refused(OutboxRow row, boolean alone, Cause cause) {
        return new Blocked(RowKey.of(row), row.sessionId(), alone, cause);
    }

    static Blocked joining(OutboxRow row) {
        return new Blocked(RowKey.of(row), row.sessionId(), false, null);
    }
}
