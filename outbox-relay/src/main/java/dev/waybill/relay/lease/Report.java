package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A heartbeat's content. A relay whose loop does not take turns serves nothing. */
public record Report(boolean moves, List<String> serving, List<State> states) {
    /**
     * The state of a destination, or of the relay itself if {@code destination} is null, for {@code age}. {@code rate} is
     * accepted messages per second since the last heartbeat.
     */
    public record State(@Nullable String destination, String state, Duration age, String detail, double rate) {}
}
