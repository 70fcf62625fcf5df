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
 * @param confidence how it is known
 * @param place where it happened, and to which message
 * @param details what else is known of it, by name: {@code reason}, {@code description}, {@code operator} and
 *     others; never a body
 * @param changes of an edit, with the length of a body in place of the body
 */
public record JourneyEntry(
        Step step,
        Confidence confidence,
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

    /** A thing that happened to a message. */
    public enum Step {
        /** Something before this journey's first entry is not known any more. */
        EARLIER,
        /** It waits for its time in the outbox. */
        SCHEDULED,
        /** An operator took it back before its time. */
        CANCELLED,
        /** Its row was written; the business transaction committed. */
        APPENDED,
        /** The broker has accepted it. */
        PUBLISHED,
        /** It stands on the broker, by the broker's clock. */
        ENQUEUED,
        /** A handler was given it, and failed or was undone. */
        FAILED,
        /** A consumer gave it back; it comes again. */
        ABANDONED,
        /** The database effects of its handler are committed. */
        HANDLED,
        /** It came once more after it was handled, and had no effect. */
        DUPLICATE,
        /** A handler set it aside until something else has happened. */
        DEFERRED,
        /** Somebody asked for it back after it was deferred. */
        RESUMED,
        /** It stands still: it was refused or failed, or waits behind such a one. */
        HELD,
        /** An attempt at it in its hold has failed; another one follows. */
        TRIED,
        /** An attempt at it in its hold was begun, and nothing was heard of it. */
        ATTEMPT_LOST,
        /** It waits for an operator. */
        PARKED,
        /** An operator set a time for the next attempt at its hold. */
        RETRIED,
        /** An operator let its hold go. */
        RELEASED,
        /** It was taken out of its session's hold into one of its own. */
        SET_ASIDE,
        /** An operator changed what it says. */
        EDITED,
        /** An operator took it out for good. */
        SKIPPED,
        /** A consumer moved it to the dead-letter queue. */
        DEAD_LETTERED,
        /** It failed and is gone: its source deletes what it hands out. */
        DROPPED,
        /** Its dead letter was brought into the database. */
        COLLECTED,
        /** Its dead letter was sent once more, or handed to a consumer. */
        REDRIVEN,
        /** Its dead letter needs nothing more. */
        DISCARDED,
        /** Its dead letter was opened again. */
        REOPENED,
        /** Its dead letter was moved to the archive. */
        ARCHIVED,
        /** Its dead letter was brought back from the archive. */
        RESTORED,
        /** Its dead letter lost what it said. */
        REDACTED,
        /** Its dead letter's time in the archive is over. */
        EXPIRED,
        /** Somebody ordered that it be forgotten. */
        ERASED,
        /** It waits, now. */
        WAITS
    }

    /** How an entry of a journey is known. */
    public enum Confidence {
        /** A row says so. */
        KNOWN,
        /** No row says so, but the rows that are there allow nothing else. */
        INFERRED,
        /** It must have been recorded once, and is not there any more. */
        FORGOTTEN
    }
}
