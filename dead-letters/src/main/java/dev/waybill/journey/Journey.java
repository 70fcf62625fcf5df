package dev.waybill.journey;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A time line.
 *
 * @param entries in order; empty if nothing is known
 * @param cut whether there were more entries, or more messages, than were asked for; the earliest are missing
 * @param elsewhere where nothing is known: what else the text is the name of
 * @param record how much was recorded beside the straight way
 */
public record Journey(
        Sought sought, List<JourneyEntry> entries, boolean cut, Set<Sought.Kind> elsewhere, Recorded record) {
    /**
     * What the database records of holds, failures, duplicates and deferrals.
     *
     * @param state whether it does
     * @param since what happened before is forgotten; null if nothing was
     */
    public record Recorded(State state, @Nullable Instant since) {
        /** Whether events are recorded. */
        public enum State {
            /** They are. */
            RECORDED,
            /** The tables are of a version before 16. */
            NOT_RECORDED,
            /** The role may not read them. */
            NOT_READABLE
        }
    }

    /** Copies the lists. */
    public Journey {
        entries = List.copyOf(entries);
        elsewhere = Set.copyOf(elsewhere);
    }
}
