package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one read returned.
 *
 * @param snapshot what the read saw, in PostgreSQL's text form; empty if the destination is paused and nothing was read
 * @param drawn no sequence value above this had been drawn when the snapshot was taken
 * @param late rows below the cursors' positions that committed since the cursors' snapshot, by lane
 * @param fresh rows above the positions, by lane
 * @param lastLate the highest sequence value among the late rows
 * @param moreLate whether late rows were left behind by the limit
 * @param holdsDue whether holds of these lanes wait to be tried
 */
record Page(
        String snapshot,
        long drawn,
        Map<Lane, List<OutboxRow>> late,
        Map<Lane, List<OutboxRow>> fresh,
        long lastLate,
        boolean moreLate,
        boolean holdsDue) {

    /** A page of lanes without holds. */
    Page(
            String snapshot,
            long drawn,
            Map<Lane, List<OutboxRow>> late,
            Map<Lane, List<OutboxRow>> fresh,
            long lastLate,
            boolean moreLate) {
        this(snapshot, drawn, late, fresh, lastLate, moreLate, false);
    }

    /** What the messages weigh, bodies alone. */
    long bytes() {
        return Stream.of(late, fresh)
                .flatMap(part -> part.values().stream())
                .flatMap(List::stream)
                .mapToLong(row -> row.payload().length)
                .sum();
    }

    /** Whether this says nothing about the lanes, not even that they are empty. */
    boolean isPaused() {
        return snapshot.isEmpty();
    }

    /**
     * How far a lane is read: every row up to there that the snapshot sees is on this page or was before it. Where the
     * lane has nothing more in its block, that is the end of the block, but never beyond {@link #drawn}: what is drawn
     * later may belong to a transaction that no bound of the cursor knows.
     */
    long reach(Lane lane, long position, int limit) {
        List<OutboxRow> rows = fresh.getOrDefault(lane, List.of());
        if (rows.size() == limit) {
            return rows.get(limit - 1).seq();
        }
        return Math.max(position, Math.min(Block.endAfter(position), drawn));
    }

    boolean isEmpty() {
        return late.isEmpty() && fresh.isEmpty();
    }

    /** Gathers what a read returns, row by row. */
    static final class Builder {
        private final List<Lane> lanes;
        private final Map<Lane, List<OutboxRow>> late = new HashMap<>();
        private final Map<Lane, List<OutboxRow>> fresh = new HashMap<>();
        private long lastLate;
        private int lateRows;

        /** @param lanes in the order by which the rows name them */
        Builder(Collection<Lane> lanes) {
            this.lanes = List.copyOf(lanes);
        }

        void addLate(int lane, OutboxRow row) {
            add(late, lane, row);
            lastLate = Math.max(lastLate, row.seq());
            lateRows++;
        }

        void addFresh(int lane, OutboxRow row) {
            add(fresh, lane, row);
        }

        boolean isEmpty() {
            return late.isEmpty() && fresh.isEmpty();
        }

        Page build(String snapshot, long drawn, int limit, boolean holdsDue) {
            inOrder(late);
            inOrder(fresh);
            return new Page(snapshot, drawn, late, fresh, lastLate, lateRows == limit * lanes.size(), holdsDue);
        }

        private void add(Map<Lane, List<OutboxRow>> rows, int lane, OutboxRow row) {
            rows.computeIfAbsent(lanes.get(lane), first -> new ArrayList<>()).add(row);
        }

        private static void inOrder(Map<Lane, List<OutboxRow>> rows) {
            rows.values().forEach(lane -> lane.sort(Comparator.comparingLong(OutboxRow::seq)));
        }
    }
}
