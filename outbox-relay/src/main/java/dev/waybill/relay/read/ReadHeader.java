package dev.waybill.relay.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header of a read, from its snapshot.
 *
 * @param lastValue the last allocated sequence value
 * @param unflushed the log position to flush before rows may be sent; null if it is flushed
 * @param server identifies the server process; changes after a restart, crash or promotion
 * @param heldDue whether a hold is due
 * @param destinations in the order of the request
 */
public record ReadHeader(
        Snapshot snapshot,
        long lastValue,
        @Nullable String unflushed,
        String server,
        boolean heldDue,
        List<DestinationState> destinations) {

    /** {@code epoch} is -1 for another owner; {@code open} means neither paused nor in migration. */
    public record DestinationState(String destination, long epoch, boolean open) {}
}
