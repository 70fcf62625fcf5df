package dev.waybill.relay.send;

import dev.waybill.hold.Cause;
import dev.waybill.relay.OutboxRow;
import org.jspecify.annotations.Nullable;

/** A row that moves to a hold. Alone: its session continues. Without a cause it follows another row of its session. */
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
