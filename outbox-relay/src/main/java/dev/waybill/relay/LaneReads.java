package dev.waybill.relay;

import dev.waybill.relay.Cursor.LateRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what lanes have to send and gives it to them. Lanes that are known to have more are read while what they
 * had is on its way; lanes that had nothing left are looked at when there may be something new. Memory is bounded:
 * what is read and not yet sent, and what one read may bring, in bytes. Confined to the loop's thread.
 */
final class LaneReads {
    /** Most bytes that one read brings, where the heap is not small. */
    private static final long MOST_BYTES = 32L << 20;

    /** The least that a read asks for. */
    private static final long LEAST_BYTES = 64L << 10;

    /** The heap has room for what is in hand, the driver's copy of a page and the publisher's of what it sends. */
    private static final int SHARE_OF_HEAP = 16;

    /** By which pages of late rows behind a cut one are larger: each page looks at all late rows that wait. */
    private static final int LATE_PAGE_FACTOR = 5;

    /** Rows for each lane, beyond which no page is made larger: the server sorts the keys of so many without a file. */
    private static final int LARGE_PAGE_ROWS = 500;

    private final OwnedLanes owned;
    private final Shipping shipping;
    private final LongSupplier nanoTime;
    private final long mostBytes;
    private final Deque<CutPage> cutPages = new ArrayDeque<>();
    private long bytes;
    private int rotation;
    private boolean lateLast;
    private boolean paused;
    private boolean holdsDue;

    LaneReads(OwnedLanes owned, Shipping shipping, LongSupplier nanoTime) {
        this.owned = owned;
        this.shipping = shipping;
        this.nanoTime = nanoTime;
        this.mostBytes = mostBytes();
        this.bytes = mostBytes;
    }

    /** The most bytes that a loop reads in one page. */
    static long mostBytes() {
        return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
    }

    /** Forgets what was begun. */
    void forget() {
        cutPages.clear();
    }

    /** The last read has failed: perhaps it was too much. */
    void askForLess() {
        bytes = Math.max(LEAST_BYTES, bytes / 2);
    }

    /** Whether the last read found the destination paused. */
    boolean isPaused() {
        return paused;
    }

    /** Whether holds wait to be tried; asking forgets it. */
    boolean takeHoldsDue() {
        boolean due = holdsDue;
        holdsDue = false;
        return due;
    }

    /**
     * Whether there is nothing to look for: every lane that could be read has read this snapshot already, and none
     * was left out when others were looked at.
     */
    boolean isUpToDate(Peek peek) {
        return !goesOnWithLate()
                && owned.all().stream()
                        .filter(state -> state.isQuiet() && state.mayRead(nanoTime.getAsLong()))
                        .allMatch(state ->
                                !state.hasMore() && state.readTo().snapshot().equals(peek.snapshot()));
    }

    boolean missedAny() {
        return owned.all().stream().anyMatch(state -> state.isMissed() && state.isQuiet());
    }

    /** Whether a read at once would find lanes that are known to have more, and room for what they have. */
    boolean isBehind() {
        if (paused) {
            return false;
        }
        if (goesOnWithLate()) {
            return bytesInHand() < mostBytes;
        }
        LaneSurvey survey = survey(false);
        return survey.bytesInHand() < mostBytes && (survey.tooLarge() != null || survey.isWorthAPage());
    }

    private LaneSurvey survey(boolean look) {
        return new LaneSurvey(owned.all(), rotation, nanoTime.getAsLong(), look);
    }

    /**
     * Reads once more, if it is worth it and there is room.
     *
     * @param look whether lanes that had nothing left are to be looked at too
     * @return whether anything was read
     */
    boolean read(RelayTables tables, boolean look) {
        if (look) {
            owned.all().forEach(LaneState::miss);
        }
        // In another order each time: the one shipment that a broken destination is tried with is to be any lane's.
        rotation++;
        LaneSurvey survey = survey(look);
        if (survey.bytesInHand() >= mostBytes) {
            return false;
        }
        // In turn, so that neither keeps the other from being read.
        if (!lateLast && readOn(tables)) {
            lateLast = true;
            return true;
        }
        lateLast = false;
        return read(tables, survey) || readOn(tables);
    }

    private boolean read(RelayTables tables, LaneSurvey survey) {
        LaneState tooLarge = survey.tooLarge();
        if (tooLarge != null) {
            page(tables, List.of(tooLarge), new PageLimit(tables.pageRows(), bytes, true));
        } else if (survey.isWorthAPage()) {
            List<LaneState> lanes = survey.behindAndAtHead();
            page(tables, lanes, limit(tables, lanes.size()));
        } else if (!survey.atHead().isEmpty()) {
            head(tables, survey.atHead());
        } else {
            return false;
        }
        return true;
    }

    private PageLimit limit(RelayTables tables, int lanes) {
        return new PageLimit(tables.pageRows(), Math.max(LEAST_BYTES, bytes / lanes), false);
    }

    private PageLimit limitOfLate(RelayTables tables) {
        int rows = tables.pageRows();
        return new PageLimit(Math.max(rows, Math.min(LARGE_PAGE_ROWS, LATE_PAGE_FACTOR * rows)), bytes, false);
    }

    private void page(RelayTables tables, List<LaneState> states, PageLimit limit) {
        Map<Lane, Cursor> cursors = cursors(states);
        Page page = tables.reader().read(cursors, limit);
        take(page);
        if (page.isPaused()) {
            return;
        }
        states.forEach(state -> state.take(page, shipping::start));
        if (page.isLateCut()) {
            states.forEach(state -> state.cut(cursors));
            cutPages.add(CutPage.of(page, cursors, nanoTime.getAsLong()));
        }
    }

    private void head(RelayTables tables, List<LaneState> quiet) {
        PageLimit limit = limit(tables, 1);
        @Nullable Page page = tables.reader().readHead(cursors(quiet), limit);
        if (page == null) {
            page(tables, quiet, limit(tables, quiet.size()));
            return;
        }
        take(page);
        if (!page.isPaused()) {
            quiet.forEach(state -> state.take(page, shipping::start));
        }
    }

    /** Whether late rows that were left can be read now. */
    private boolean goesOnWithLate() {
        long now = nanoTime.getAsLong();
        return cutPages.stream().anyMatch(cut -> cut.isReady(cut.states(owned), now))
                || owned.all().stream().anyMatch(state -> goesOnWithLate(state, now));
    }

    /** Reads the rest of a page that late rows have overfilled, when its lanes have sent what they have. */
    private boolean readOn(RelayTables tables) {
        long now = nanoTime.getAsLong();
        gatherRests(now);
        for (CutPage cut : List.copyOf(cutPages)) {
            List<LaneState> states = cut.states(owned);
            if (states.isEmpty()) {
                cutPages.remove(cut);
            } else if (cut.isReady(states, now)) {
                readOn(tables, cut, states);
                return true;
            }
        }
        return false;
    }

    private static boolean goesOnWithLate(LaneState state, long now) {
        return state.lateRest(now) != null && !state.caution().isWatched();
    }

    // Lanes that have failed, that were too slow for the others, or that were adopted so, are read together where
    // they are among the late rows of the same snapshot.
    private void gatherRests(long now) {
        var bySnapshot = new LinkedHashMap<String, Map<Lane, Cursor>>();
        for (LaneState state : rotated(owned.all())) {
            @Nullable LateRows rest = state.lateRest(now);
            if (rest != null && !state.caution().isWatched()) {
                bySnapshot
                        .computeIfAbsent(rest.snapshot(), snapshot -> new LinkedHashMap<>())
                        .put(state.lane(), state.cursor());
            }
        }
        bySnapshot.forEach((snapshot, cursors) -> {
            cursors.keySet()
                    .forEach(lane -> Objects.requireNonNull(owned.get(lane)).cut(cursors));
            cutPages.add(CutPage.of(snapshot, cursors, now));
        });
    }

    private List<LaneState> rotated(List<LaneState> states) {
        var rotated = new ArrayList<>(states);
        Collections.rotate(rotated, -rotation);
        return rotated;
    }

    private void readOn(RelayTables tables, CutPage cut, List<LaneState> states) {
        List<LaneState> quiet =
                rotated(states).stream().filter(LaneState::isQuiet).toList();
        Map<Lane, Cursor> cursors = cut.cursors(quiet);
        Page next = tables.reader().readMoreLate(cursors, cut.page(), limitOfLate(tables));
        take(next);
        if (next.isPaused()) {
            return;
        }
        cutPages.remove(cut);
        states.stream().filter(state -> !state.isQuiet()).forEach(LaneState::leaveCut);
        quiet.forEach(state -> state.takeLate(next, cut.page().lateCut(), shipping::start));
        if (next.isLateCut()) {
            quiet.forEach(state -> state.cut(cursors));
            cutPages.addFirst(CutPage.of(next, cursors, nanoTime.getAsLong()));
        } else {
            quiet.forEach(LaneState::leaveCut);
        }
    }

    private void take(Page page) {
        paused = page.isPaused();
        holdsDue |= page.holdsDue();
        owned.saw(page.changes());
        bytes = Math.min(mostBytes, bytes + LEAST_BYTES);
    }

    private Map<Lane, Cursor> cursors(List<LaneState> states) {
        var cursors = new LinkedHashMap<Lane, Cursor>();
        states.forEach(state -> cursors.put(state.lane(), state.readTo()));
        return cursors;
    }

    private long bytesInHand() {
        long inHand = 0;
        for (LaneState state : owned.all()) {
            inHand += state.bytesInHand();
        }
        return inHand;
    }
}
