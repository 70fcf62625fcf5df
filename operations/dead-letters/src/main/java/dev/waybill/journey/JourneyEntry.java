package dev.waybill.journey;

import dev.waybill.deadletter.FieldChange;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a journey.
 *
 * @param details by name, such as {@code reason}, {@code description}, {@code operator}; never a body
 * @param changes of an edit, with lengths in place of bodies
 */
public record JourneyEntry(
        Step step,
        Confidence confidence,
        Time time,
        Place place,
        Map<String, String> details,
        List<FieldChange> changes) {
    public enum Clock {
        DATABASE,
        /** It may be ahead of the database's clock, or behind it. */
        BROKER
    }

    /**
     * When something happened.
     *
     * @param at its end; null if it is unknown
     * @param since its beginning, if it took time, happened several times, or happened at an unknown moment in between
     */
    public record Time(@Nullable Instant at, @Nullable Instant since, Clock clock) {
        static Time of(Instant at) {
            return new Time(at, null, Clock.DATABASE);
        }
    }

    /**
     * Where something happened, and to which message.
     *
     * @param name the destination, the consumer, or the entity of a dead letter
     * @param message the logical id
     */
    public record Place(
            String name, String message, @Nullable String session) {}

    public JourneyEntry {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        changes = List.copyOf(changes);
    }

    public enum Step {
        /** Earlier entries are not known any more. */
        EARLIER,
        /** It waits for its time in the outbox. */
        SCHEDULED,
        /** An operator cancelled it before its time. */
        CANCELLED,
        /** The transaction that appended it committed. */
        APPENDED,
        /** A failover of its destination: it is sent once more if it had been published. */
        FAILOVER,
        PUBLISHED,
        /** The broker has enqueued it, by the broker's clock. */
        ENQUEUED,
        /** A handler failed, or was rolled back. */
        FAILED,
        /** A consumer abandoned it; the broker delivers it again. */
        ABANDONED,
        /** The effects of its handler are committed. */
        HANDLED,
        /** It was delivered again after it was handled, and had no effect. */
        DUPLICATE,
        DEFERRED,
        RESUMED,
        /** It is held: it was refused or failed, or follows such a message. */
        HELD,
        /** An attempt in its hold failed; another one follows. */
        TRIED,
        /** An attempt in its hold has no known end. */
        ATTEMPT_LOST,
        PARKED,
        /** An operator set a time for the next attempt. */
        RETRIED,
        /** An operator released its hold. */
        RELEASED,
        /** It moved from its session's hold into one of its own. */
        SET_ASIDE,
        EDITED,
        /** An operator removed it. */
        SKIPPED,
        DEAD_LETTERED,
        /** It failed, and its source deletes what it delivers. */
        DROPPED,
        /** Its dead letter was stored in the database. */
        COLLECTED,
        /** Its dead letter was sent again, or handed to a consumer. */
        REDRIVEN,
        DISCARDED,
        REOPENED,
        ARCHIVED,
        RESTORED,
        REDACTED,
        /** The archive deleted its dead letter after its time. */
        EXPIRED,
        /** An order of erasure names it. */
        ERASED,
        WAITS
    }

    /** How an entry is known. */
    public enum Confidence {
        /** A row says so. */
        KNOWN,
        /** The rows that are there allow nothing else. */
        INFERRED,
        /** It must have been recorded, and is not there any more. */
        FORGOTTEN
    }
}
