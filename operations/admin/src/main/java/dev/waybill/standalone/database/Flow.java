package dev.waybill.standalone.database;

import java.time.Duration;
import java.util.Optional;

/**
 * How fast a destination's messages leave the outbox, by the last heartbeat of the relay that publishes them.
 *
 * @param published messages a second that left the outbox
 */
public record Flow(double published) {
    /** Nothing moves. */
    public static final Flow NONE = new Flow(0);

    /** A message that is younger is on its way rather than waiting. */
    private static final double YOUNG_SECONDS = 5;

    /** The outlook for the messages that wait, if no others come. */
    public Outlook outlook(DestinationView destination) {
        if (destination.pending() == 0) {
            return new Outlook("nothing waits", Optional.empty());
        }
        if (published > 0 && destination.oldestAgeSeconds() < YOUNG_SECONDS) {
            return new Outlook("flows", Optional.empty());
        }
        if (published <= 0) {
            return new Outlook("no end in sight", Optional.empty());
        }
        var left = Duration.ofSeconds((long) Math.ceil(destination.pending() / published));
        return new Outlook("ends", Optional.of(left));
    }

    /**
     * The outlook for a backlog.
     *
     * @param word {@code nothing waits}, {@code flows}, {@code ends} or {@code no end in sight}
     * @param left until nothing waits any more; empty if that is not known
     */
    public record Outlook(String word, Optional<Duration> left) {}
}
