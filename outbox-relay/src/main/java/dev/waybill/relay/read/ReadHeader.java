package dev.waybill.relay.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a read says beside its rows, all of the same moment.
 *
 * @param lastValue the last sequence value that was allocated
 * @param unflushed the log must be flushed up to here before a row of the read may leave; null if it is
 * @param server identifies the running server: another one after a restart, a crash or a promotion
 * @param heldDue whether some hold is due for an attempt
 * @param destinations of those that were asked, in that order
 */
public record ReadHeader(
        Snapshot snapshot,
        long lastValue,
        @Nullable String unflushed,
        String server,
        boolean heldDue,
        List<DestinationState> destinations) {

    /**
     * A destination as the read found it.
     *
     * @param epoch of its owner, if that is this relay; -1 if it is not
     * @param open whether it is neither paused nor withheld by a move
     */
    public record DestinationState(String destination, long epoch, boolean open) {}
}
