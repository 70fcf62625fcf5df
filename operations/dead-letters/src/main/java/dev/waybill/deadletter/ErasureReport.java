package dev.waybill.deadletter;

import java.util.EnumMap;
import java.util.Map;

/**
 * The copies that an erasure removed, by place, and those that remain: live messages that the order does not name, and documents
 * out of reach.
 */
public record ErasureReport(Map<Place, Long> removed, Map<Place, Long> remaining) {
    public enum Place {
        DEAD_LETTERS,
        DEAD_LETTER_VERSIONS,
        ARCHIVE,
        /**
         * Archived letters with documents in an {@link ArchiveStore} that the call was not given. Removed: the texts of their
         * rows. Remaining: the documents, and the rows that name them. Repeat the erasure with the store.
         */
        ARCHIVED_ELSEWHERE,
        /** Messages in audit rows about holds; the rows stay. */
        HOLD_AUDIT,
        /** Events of holds, attempts, failures and duplicates. */
        EVENTS,
        /** Bodies outside their messages. */
        CLAIMS,
        RESPONSES,
        SESSION_STATE,
        PUBLISHED,
        /** Rows of the outbox that are not published. */
        PENDING,
        SCHEDULED,
        HELD_IN_OUTBOX,
        HELD_IN_INBOX
    }

    public ErasureReport {
        removed = counted(removed);
        remaining = counted(remaining);
    }

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
