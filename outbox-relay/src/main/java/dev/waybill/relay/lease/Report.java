package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a heartbeat writes of its relay.
 *
 * @param moves whether the loop takes turns; if not, it serves nothing
 * @param serving the destinations that it would publish to at this moment
 */
public record Report(boolean moves, List<String> serving, List<State> states) {
    /**
     * The state of a destination.
     *
     * @param destination null: the relay itself
     * @param state in one word
     * @param age since when
     * @param detail why
     * @param rate messages a second that the broker has accepted since the last heartbeat
     */
    public record State(@Nullable String destination, String state, Duration age, String detail, double rate) {}
}
