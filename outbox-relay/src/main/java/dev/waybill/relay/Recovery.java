package dev.waybill.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Whether a destination works again after a step of it has failed. That messages are sent again proves nothing: where they
 * cannot be recorded, all of them would be sent again and again at full speed. A settle proves it, or a look that finds nothing
 * to do. Of lanes that could not be recorded, each must be, or have nothing left. Confined to the loop's thread.
 */
final class Recovery {
    /** Longer than the longest rest after a failure: another relay may fail with the lane and give it back meanwhile. */
    private static final Duration ELSEWHERE = Duration.ofSeconds(8);

    private final OwnedLanes owned;
    private final LongSupplier nanoTime;
    private final Set<Lane> unrecorded = new HashSet<>();
    private boolean recovering;
    private boolean recorded;
    private boolean looked;
    private boolean ofHolds;
    private long failedAt;

    Recovery(OwnedLanes owned, LongSupplier nanoTime) {
        this.owned = owned;
        this.nanoTime = nanoTime;
    }

    /** A step has failed. */
    void begin() {
        recovering = true;
        recorded = false;
        looked = false;
    }

    /** These lanes could not be recorded. */
    void unrecorded(Collection<LaneState> lanes) {
        lanes.forEach(state -> unrecorded.add(state.lane()));
        failedAt = nanoTime.getAsLong();
    }

    /** The result of held messages could not be recorded. */
    void holdsUnrecorded() {
        ofHolds = true;
        failedAt = nanoTime.getAsLong();
    }

    /** These lanes are recorded. */
    void recorded(Collection<LaneState> lanes) {
        if (recovering) {
            recorded = true;
            lanes.forEach(state -> unrecorded.remove(state.lane()));
        }
    }

    /** Lanes were read; with a look, also those that had nothing left. */
    void looked(boolean look) {
        looked |= look;
    }

    /** Whether a step has failed since it worked last, as far as that is known. */
    boolean isUnderWay() {
        return recovering;
    }

    /**
     * Whether it is over now.
     *
     * @param quiet whether nothing is on its way
     * @param paused whether nothing is read
     */
    boolean ends(boolean quiet, boolean paused) {
        boolean nothingFound = looked && quiet && owned.all().stream().allMatch(state -> isIdle(state, paused));
        unrecorded.removeIf(lane -> isOver(lane, nothingFound));
        ofHolds &= !isLongAgo();
        recovering = ofHolds || !unrecorded.isEmpty() || !(recorded || nothingFound);
        return !recovering;
    }

    private boolean isOver(Lane lane, boolean nothingFound) {
        LaneState state = owned.get(lane);
        if (state == null) {
            return isLongAgo();
        }
        return nothingFound || (looked && state.isQuiet() && isIdle(state, false));
    }

    private static boolean isIdle(LaneState state, boolean paused) {
        return !state.isUnsettled() && (paused || !state.isMissed());
    }

    private boolean isLongAgo() {
        return nanoTime.getAsLong() - failedAt >= ELSEWHERE.toNanos();
    }
}
