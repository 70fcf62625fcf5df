package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The health of a relay at one moment, from what it last saw of database and broker. Immutable.
 *
 * @param working true while the relay takes turns; false before the start, after the stop, without its database, and if it hangs
 * @param destinations all that it serves, owned or not
 */
public record RelayHealth(boolean working, List<Destination> destinations) {
    public RelayHealth {
        destinations = List.copyOf(destinations);
    }

    /** True if the relay works and no destination fails. */
    public boolean isHealthy() {
        return working && destinations.stream().noneMatch(Destination::isFailing);
    }

    /**
     * One destination.
     *
     * @param state {@code flowing}, {@code idle}, also where another relay owns the destination, {@code paused}, {@code throttled},
     *     {@code unavailable}, {@code refused}, {@code failing} for the database, or {@code starting}
     * @param since how long it has been in this state
     * @param detail the broker's or the database's words; empty if there is nothing to say
     */
    public record Destination(String name, String state, Duration since, String detail) {
        private static final Set<String> FAILURES = Set.of("unavailable", "refused", "failing");

        /** True if nothing is published to it, and it is not paused. */
        public boolean isFailing() {
            return FAILURES.contains(state);
        }
    }
}
