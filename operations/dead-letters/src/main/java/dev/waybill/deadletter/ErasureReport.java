package dev.waybill.deadletter;

import java.util.EnumMap;
import java.util.Map;

/**
 * The copies that an erasure removed, and the messages that it found and remaining.
 *
 * @param removed how many copies were removed, by where they were; places where nothing was are remaining out
 * @param remaining how many messages are still on their way, by where they are; the order did not ask for them
 */
public record ErasureReport(Map<Place, Long> removed, Map<Place, Long> remaining) {
    /** Where copies of messages are. */
    public enum Place {
        /** Dead letters, in whatever state. */
        DEAD_LETTERS,
        /** Former versions of dead letters that were edited. */
        DEAD_LETTER_VERSIONS,
        /** Documents of archived dead letters. */
        ARCHIVE,
        /**
         * Archived letters that have their documents in an archive outside the database that the call was not
         * given. In what was removed: the texts that the tables had of them. In what is remaining: the documents, and
         * the rows without which nobody would find them. Erase again with that archive.
         */
        ARCHIVED_ELSEWHERE,
        /** Messages in operators' entries about holds; the entries themselves stay. */
        HOLD_AUDIT,
        /** Events of messages beside the straight way, as a journey tells them. */
        EVENTS,
        /** Bodies that are kept outside their messages. */
        CLAIMS,
        /** Answers to requests. */
        RESPONSES,
        /** States that consumers keep of a session. */
        SESSION_STATE,
        /** Published rows of the outbox. */
        PUBLISHED,
        /** Rows of the outbox that are not published. */
        PENDING,
        /** Messages that wait for their time. */
        SCHEDULED,
        /** Messages that wait in front of the broker. */
        HELD_IN_OUTBOX,
        /** Messages that wait in front of a handler. */
        HELD_IN_INBOX
    }

    /** Copies the maps, without places where nothing is. */
    public ErasureReport {
        removed = counted(removed);
        remaining = counted(remaining);
    }

    /** How many copies were removed, wherever they were. */
    public long total() {
        return removed.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<Place, Long> counted(Map<Place, Long> counts) {
        var copy = new EnumMap<Place, Long>(Place.class);
        counts.forEach((place, count) -> {
            if (count > 0) {
                copy.put(place, count);
            }
        });
        return java.util.Collections.unmodifiableMap(copy);
    }
}
