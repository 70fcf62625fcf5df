package dev.waybill.journey;

import dev.waybill.deadletter.FieldChange;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a journey.
 *
 * @param certainty how it is known
 * @param place where it happened, and to which message
 * @param details what else is known of it, by name: {@code reason}, {@code description}, {@code operator} and
 *     others; never a body
 * @param changes of an edit, with the length of a body in place of the body
 */
public record JourneyEntry(
        Step step,
        Confidence certainty,
        Time time,
        Place place,
        Map<String, String> details,
        List<FieldChange> changes) {
    /** The clock that a time is of. */
    public enum Clock {
        /** Of the database, like almost all. */
        DATABASE,
        /** Of the broker, which may go before or after the database's. */
        BROKER
    }

    /**
     * A time.
     *
     * @param at when it happened, or was over; null if that is forgotten
     * @param since the other end, for what took its time, happened several times, or happened at some moment
     *     between the two
     */
    public record Time(@Nullable Instant at, @Nullable Instant since, Clock clock) {
        static Time of(Instant at) {
            return new Time(at, null, Clock.DATABASE);
        }
    }

    /**
     * A place.
     *
     * @param name the destination, the consumer, or the entity of a dead letter
     * @param message the logical id
     */
    public record Place(
            String name, String message, @Nullable String session) {}

    /** Copies the details and the changes. */
    public JourneyEntry {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        changes = List.copyOf(changes);
    }
}
