package dev.waybill.inbox;

import java.time.Duration;

/**
 * How long a consumer remembers ids, and the reasons. A message whose id is forgotten too early takes effect twice, so the consumer
 * checks the reasons.
 *
 * @param keep how long an id is kept
 * @param timeToLive the longest time that a message stays in the entity; without such a limit no retention is long enough
 * @param duplicateWindow how long the broker drops duplicates; 0 if it does not
 * @param redriveHorizon the greatest age of a dead letter or hold at its re-drive
 */
public record Retention(Duration keep, Duration timeToLive, Duration duplicateWindow, Duration redriveHorizon) {
    private static final Duration SHORTEST_SETTLING = Duration.ofHours(1);
    private static final Duration LONGEST_SETTLING = Duration.ofDays(1);

    /** Throws {@link IllegalArgumentException} if {@code keep} is too short for the reasons. */
    public Retention {
        Duration longest = timeToLive.compareTo(duplicateWindow) > 0 ? timeToLive : duplicateWindow;
        Duration needed = longest.plus(redriveHorizon);
        if (timeToLive.isZero()
                || timeToLive.isNegative()
                || duplicateWindow.isNegative()
                || redriveHorizon.isNegative()) {
            throw new IllegalArgumentException("A retention needs a positive time to live and no negative duration");
        }
        if (keep.compareTo(needed) < 0) {
            throw new IllegalArgumentException("Ids kept for " + keep
                    + " are deleted while their messages can still"
                    + " arrive: a message may stay in the entity for " + timeToLive + " (duplicate window "
                    + duplicateWindow
                    + ") and be re-driven for " + redriveHorizon + "; keep ids for at least " + needed);
        }
    }

    /**
     * How long a consumer must work without a pause before it removes ids: a quarter of {@link #keep}, from 1 h to 1 day. Waiting
     * messages have arrived by then.
     */
    public Duration settling() {
        Duration quarter = keep.dividedBy(4);
        if (quarter.compareTo(SHORTEST_SETTLING) < 0) {
            return SHORTEST_SETTLING;
        }
        return quarter.compareTo(LONGEST_SETTLING) > 0 ? LONGEST_SETTLING : quarter;
    }
}
