package dev.waybill.relay;

import java.time.Duration;
import java.util.Collection;
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
        return new CutPage(Page.cutAt(page.sight(), page.lateCut()), cursors, nowNanos);
    }

    /** Late rows of several lanes that one snapshot sees, from where the first of the lanes goes on. */
    static CutPage of(Map<Lane, PageOrigin> rests, long nowNanos) {
        Collection<PageOrigin> origins = rests.values();
        long first = origins.stream().mapToLong(PageOrigin::lateReached).min().orElseThrow();
        var cursors = new LinkedHashMap<Lane, Cursor>();
        rests.forEach((lane, rest) -> cursors.put(lane, rest.from()));
        return new CutPage(Page.cutAt(origins.iterator().next().sight(), first), cursors, nowNanos);
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

    /** Where a lane goes on that reads the rest alone, once it has sent what it has. */
    PageOrigin origin(LaneState state) {
        return new PageOrigin(Objects.requireNonNull(cursors.get(state.lane())), page.sight(), page.lateCut());
    }
}
