package dev.waybill.inbox;

import java.time.Duration;

/**
 * How long a consumer remembers ids, and why that is long enough. An id that is forgotten too early lets its message have a
 * second effect, so the reasons are stated and checked.
 *
 * @param keep how long an id is kept
 * @param timeToLive the longest a message may lie in the entity; without a limit there is no time that is long enough
 * @param duplicateWindow how long the broker itself drops repeats; 0 if it does not
 * @param redriveHorizon how old a dead letter or a hold may be when it is brought back
 */
public record Retention(Duration keep, Duration timeToLive, Duration duplicateWindow, Duration redriveHorizon) {
    private static final Duration SHORTEST_SETTLING = Duration.ofHours(1);
    private static final Duration LONGEST_SETTLING = Duration.ofDays(1);

    /** Refuses a time that is too short for the reasons. */
    public Retention {
        Duration longest = timeToLive.compareTo(duplicateWindow) > 0 ? timeToLive : duplicateWindow;
        Duration needed = longest.plus(redriveHorizon);
        if (timeToLive.isZero()
                || timeToLive.isNegative()
                || duplicateWindow.isNegative()
                || redriveHorizon.isNegative()) {
            throw new IllegalArgumentException("A retention needs a time to live, and no negative times");
        }
        if (keep.compareTo(needed) < 0) {
            throw new IllegalArgumentException("Ids kept for " + keep
                    + " are forgotten before their messages can no longer"
                    + " come: they may lie in the entity for " + timeToLive + " (duplicate window " + duplicateWindow
                    + ") and be brought back for " + redriveHorizon + "; keep them for " + needed + " at least");
        }
    }

    /** How long a consumer must have been at work before it removes anything: what waited for it has come by then. */
    public Duration settling() {
        Duration quarter = keep.dividedBy(4);
        if (quarter.compareTo(SHORTEST_SETTLING) < 0) {
            return SHORTEST_SETTLING;
        }
        return quarter.compareTo(LONGEST_SETTLING) > 0 ? LONGEST_SETTLING : quarter;
    }
}
