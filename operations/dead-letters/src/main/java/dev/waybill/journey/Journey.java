package dev.waybill.journey;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A time line.
 *
 * @param entries in order; empty if nothing is known
 * @param leftOut of what there was more than was asked for; the earliest are missing. Empty: everything is here
 * @param elsewhere where nothing is known: what else the text is the name of
 * @param record how much was recorded beside the straight way
 */
public record Journey(
        SearchTerm term,
        List<JourneyEntry> entries,
        Set<Part> leftOut,
        Set<SearchTerm.Kind> elsewhere,
        Recorded record) {
    /** The parts that a journey is made of. */
    public enum Part {
        /** Messages of the session or trace that was asked for. */
        MESSAGES,
        /** Rows of the outbox. */
        OUTBOX_ROWS,
        /** Ids that consumers have handled, and deferrals. */
        CONSUMERS,
        /** Dead letters, and decisions about them. */
        DEAD_LETTERS,
        /** Events: holds that ended, attempts, failures, duplicates. */
        EVENTS,
        /** Held messages, and decisions about holds. */
        HOLDS,
        /** Entries that were made of all these. */
        ENTRIES
    }

    /**
     * The record that the database keeps of holds, failures, duplicates and deferrals.
     *
     * @param state whether it does
     * @param since what happened until then is forgotten; null if nothing was
     */
    public record Recorded(State state, @Nullable Instant since) {
        /** Whether events are recorded. */
        public enum State {
            /** They are. */
            RECORDED,
            /** The feature events is not installed. */
            NOT_RECORDED,
            /** The role may not read them. */
            NOT_READABLE
        }
    }

    /** Copies the collections. */
    public Journey {
        entries = List.copyOf(entries);
        leftOut = Set.copyOf(leftOut);
        elsewhere = Set.copyOf(elsewhere);
    }

    /** Whether anything was left out. */
    public boolean cut() {
        return !leftOut.isEmpty();
    }
}
