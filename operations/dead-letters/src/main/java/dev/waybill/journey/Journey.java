package dev.waybill.journey;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of messages, in order.
 *
 * @param leftOut parts with more rows than were asked for, whose earliest are missing
 * @param elsewhere if nothing is found: other kinds of term that would find something
 * @param record which events were recorded
 */
public record Journey(
        SearchTerm term,
        List<JourneyEntry> entries,
        Set<Part> leftOut,
        Set<SearchTerm.Kind> elsewhere,
        Recorded record) {
    public enum Part {
        MESSAGES,
        OUTBOX_ROWS,
        /** Ids that consumers have handled, and deferrals. */
        CONSUMERS,
        /** Dead letters, and decisions about them. */
        DEAD_LETTERS,
        /** Events: holds that ended, attempts, failures, duplicates. */
        EVENTS,
        /** Held messages, and decisions about holds. */
        HOLDS,
        ENTRIES
    }

    /** Whether the database records holds, failures, duplicates and deferrals, and since when; null if nothing was removed. */
    public record Recorded(State state, @Nullable Instant since) {
        public enum State {
            RECORDED,
            NOT_RECORDED,
            NOT_READABLE
        }
    }

    public Journey {
        entries = List.copyOf(entries);
        leftOut = Set.copyOf(leftOut);
        elsewhere = Set.copyOf(elsewhere);
    }

    public boolean cut() {
        return !leftOut.isEmpty();
    }
}
