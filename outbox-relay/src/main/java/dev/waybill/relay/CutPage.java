package dev.waybill.relay;

import dev.waybill.relay.Cursor.LateRows;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A page that ended within its late rows, without the rows. Lanes leave it when they fail, or when the others have waited for
 * them for too long.
 *
 * @param page what its read saw, and the value behind which late rows are read on
 * @param cursors by which late rows are judged; the very map is how lanes know the page
 * @param readAtNanos when it was read
 */
record CutPage(Page page, Map<Lane, Cursor> cursors, long readAtNanos) {
    /** How long all lanes wait for one that waits for the broker. Each lane that is read alone costs the server as much as all. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    static CutPage of(Page page, Map<Lane, Cursor> cursors, long nowNanos) {
        return new CutPage(Page.cutAt(new LateRows(page.snapshot(), page.lateCut())), cursors, nowNanos);
    }

    /** Late rows of several lanes that one snapshot sees, from where the first of the lanes goes on. */
    static CutPage of(String snapshot, Map<Lane, Cursor> cursors, long nowNanos) {
        long first =
                cursors.values().stream().mapToLong(Cursor::lateReached).min().orElseThrow();
        return new CutPage(Page.cutAt(new LateRows(snapshot, first)), cursors, nowNanos);
    }

    /** Those of its lanes that still wait for the rest. */
    List<LaneState> states(OwnedLanes owned) {
        return cursors.keySet().stream()
                .map(owned::get)
                .filter(state -> state != null && state.isCutBy(cursors))
                .map(Objects::requireNonNull)
                .toList();
    }

    /** Whether it can be read on for some of its lanes. */
    boolean isReady(List<LaneState> states, long nowNanos) {
        long quiet = states.stream().filter(LaneState::isQuiet).count();
        return quiet > 0 && (quiet == states.size() || nowNanos - readAtNanos >= PATIENCE.toNanos());
    }

    Map<Lane, Cursor> cursors(List<LaneState> of) {
        var some = new LinkedHashMap<Lane, Cursor>();
        of.forEach(state -> some.put(state.lane(), Objects.requireNonNull(cursors.get(state.lane()))));
        return some;
    }
}
