package dev.waybill.relay;

import java.util.ArrayDeque;
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
        return owned.all().stream()
                .filter(state -> state.isQuiet() && state.mayRead(nanoTime.getAsLong()))
                .allMatch(state -> !state.hasMore() && state.readTo().snapshot().equals(peek.snapshot()));
    }

    boolean missedAny() {
        return owned.all().stream().anyMatch(state -> state.isMissed() && state.isQuiet());
    }

    /** Whether a read at once would find lanes that are known to have more, and room for what they have. */
    boolean isBehind() {
        if (paused) {
            return false;
        }
        if (!cutPages.isEmpty() && mayReadOn(cutPages.getFirst())) {
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
        if (!cutPages.isEmpty() && readOn(tables)) {
            return true;
        }
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

    /** Whether the lane is sent with caution, or it is not known yet whether it must be. */
    static boolean isWatched(LaneState state) {
        @Nullable CrashSuspect suspicion = state.suspicion();
        return state.isOrphaned() || (suspicion != null && suspicion.isGrave());
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
        take(page, states);
        if (page.isLateCut()) {
            states.forEach(state -> state.cut(cursors));
            cutPages.add(new CutPage(page, cursors));
        }
    }

    private void head(RelayTables tables, List<LaneState> quiet) {
        PageLimit limit = limit(tables, 1);
        @Nullable Page page = tables.reader().readHead(cursors(quiet), limit);
        if (page == null) {
            page(tables, quiet, limit(tables, quiet.size()));
        } else {
            take(page, quiet);
        }
    }

    /**
     * Reads the rest of a page that late rows have overfilled, when its lanes have sent most of what they have.
     */
    private boolean readOn(RelayTables tables) {
        CutPage cut = cutPages.getFirst();
        List<LaneState> states = cut.states(owned);
        if (states.isEmpty()) {
            cutPages.removeFirst();
            return false;
        }
        if (!mayReadOn(cut)) {
            return false;
        }
        Page next = tables.reader().readMoreLate(cut.cursors(), cut.page(), limitOfLate(tables));
        take(next, states);
        if (next.isPaused()) {
            return true;
        }
        cutPages.removeFirst();
        if (next.isLateCut()) {
            cutPages.addFirst(new CutPage(next, cut.cursors()));
        } else {
            states.forEach(state -> state.cut(null));
        }
        return true;
    }

    private boolean mayReadOn(CutPage cut) {
        return cut.states(owned).stream().allMatch(LaneState::isQuiet);
    }

    private void take(Page page, List<LaneState> states) {
        paused = page.isPaused();
        holdsDue |= page.holdsDue();
        owned.saw(page.changes());
        bytes = Math.min(mostBytes, bytes + LEAST_BYTES);
        if (!paused) {
            states.forEach(state -> state.take(page, shipping::start));
        }
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

    /** A page that ended within its late rows, and the cursors that these are judged by. */
    private record CutPage(Page page, Map<Lane, Cursor> cursors) {
        /** Those of its lanes that still wait for the rest. */
        List<LaneState> states(OwnedLanes owned) {
            return cursors.keySet().stream()
                    .map(owned::get)
                    .filter(state -> state != null && state.isCutBy(cursors))
                    .map(Objects::requireNonNull)
                    .toList();
        }
    }
}
