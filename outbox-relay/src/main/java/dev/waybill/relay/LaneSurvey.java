package dev.waybill.relay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a loop's lanes stand at one moment: which are behind, and which may be looked at. Made at every step, so in
 * one pass.
 */
final class LaneSurvey {
    private final List<LaneState> behind = new ArrayList<>();
    private final List<LaneState> atHead = new ArrayList<>();
    private @Nullable LaneState tooLarge;
    private boolean anyIdle;
    private int busy;
    private long bytesInHand;

    /**
     * Looks at all lanes.
     *
     * @param first the place among them to begin at; any number
     * @param look whether lanes that had nothing left count too
     */
    LaneSurvey(List<LaneState> lanes, int first, long nowNanos, boolean look) {
        int size = lanes.size();
        for (int i = 0; i < size; i++) {
            see(lanes.get(Math.floorMod(first + i, size)), nowNanos, look);
        }
    }

    private void see(LaneState state, long nowNanos, boolean look) {
        boolean more = state.hasMore();
        boolean quiet = state.isQuiet();
        bytesInHand += state.bytesInHand();
        if (more || !quiet) {
            busy++;
        }
        if ((!more && !(look && quiet))
                || !state.mayRead(nowNanos)
                || state.caution().isWatched()) {
            return;
        }
        if (!more) {
            atHead.add(state);
        } else if (!state.isTooLarge()) {
            behind.add(state);
            anyIdle |= quiet;
        } else if (quiet && tooLarge == null) {
            tooLarge = state;
        }
    }

    /** A lane whose next row needs a page of its own. */
    @Nullable LaneState tooLarge() {
        return tooLarge;
    }

    /**
     * Whether lanes that are behind should be read now. One that has nothing in hand is reason enough; as long as all have, a
     * page of all of them is cheaper than many of one.
     */
    boolean isWorthAPage() {
        return !behind.isEmpty() && (anyIdle || behind.size() >= busy);
    }

    /** Those that had nothing left. */
    List<LaneState> atHead() {
        return atHead;
    }

    List<LaneState> behindAndAtHead() {
        var both = new ArrayList<>(behind);
        both.addAll(atHead);
        return both;
    }

    /** The bytes that all lanes have read and not yet sent. */
    long bytesInHand() {
        return bytesInHand;
    }
}
