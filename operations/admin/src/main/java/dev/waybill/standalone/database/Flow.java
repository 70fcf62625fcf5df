package dev.waybill.standalone.database;

import java.time.Duration;
import java.util.Optional;

/** The publishing rate of a destination in messages a second, from the last heartbeat of its relay. */
public record Flow(double published) {
    public static final Flow NONE = new Flow(0);

    /** Younger messages are in transit rather than waiting. */
    private static final double YOUNG_SECONDS = 5;

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
     * The forecast: {@code nothing waits}, {@code flows}, {@code ends} or {@code no end in sight}, with the time left if it is
     * known.
     */
    public record Outlook(String word, Optional<Duration> left) {}
}
