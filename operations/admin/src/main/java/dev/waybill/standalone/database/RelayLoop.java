package dev.waybill.standalone.database;

import java.time.Instant;
import java.util.List;

/**
 * The work of a living relay for a destination.
 *
 * @param state as the relay tells it: flowing, unavailable, throttled, failing, and others
 * @param since when it came into this state
 * @param detail the last error, if the state comes from one
 * @param buckets of the lanes that it owns
 */
public record RelayLoop(String relay, String state, Instant since, String detail, List<Integer> buckets) {
    /** Copies the list. */
    public RelayLoop {
        buckets = List.copyOf(buckets);
    }
}
