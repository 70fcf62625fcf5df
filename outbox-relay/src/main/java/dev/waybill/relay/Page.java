package dev.waybill.relay;

import dev.waybill.relay.Cursor.LateRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rows and facts of one read.
 *
 * @param sight what the read saw besides rows
 * @param late rows below the cursors' positions that committed since the cursors' snapshots, by lane
 * @param fresh rows above the positions, by lane
 * @param more lanes with rows above the positions that did not fit
 * @param lateCut if late rows did not fit, the last sequence value among those that did; otherwise {@link #WHOLE}
 * @param onlyLate whether nothing but late rows was asked for
 */
record Page(
        Sight sight,
        Map<Lane, List<OutboxRow>> late,
        Map<Lane, List<OutboxRow>> fresh,
        Set<Lane> more,
        long lateCut,
        boolean onlyLate) {
    /** No late row was left behind. */
    static final long WHOLE = -1;

    String snapshot() {
        return sight.snapshot();
    }

    /** No sequence value above this had been drawn when the snapshot was taken. */
    long drawn() {
        return sight.drawn();
    }

    boolean holdsDue() {
        return sight.holdsDue();
    }

    /** As {@link Peek#changes}. */
    long changes() {
        return sight.changes();
    }

    /** Whether this says nothing about the lanes, not even that they are empty. */
    boolean isPaused() {
        return snapshot().isEmpty();
    }

    boolean isEmpty() {
        return late.isEmpty() && fresh.isEmpty();
    }

    boolean isLateCut() {
        return lateCut != WHOLE;
    }

    /**
     * How far a lane is read: every row up to there that the snapshot sees is on this page or was before it. Only
     * where the database says that the lane has nothing more in its block, that is the end of the block, or of the
     * empty blocks behind it that the database was asked about. It is never beyond {@link #drawn}: what is drawn later may
     * belong to a transaction that no bound of the cursor knows.
     */
    long reach(Lane lane, long position) {
        List<OutboxRow> rows = fresh.getOrDefault(lane, List.of());
        if (onlyLate || more.contains(lane)) {
            return rows.isEmpty() ? position : rows.get(rows.size() - 1).seq();
        }
        long end = Math.max(RingLayout.endAfter(position), sight.emptyUntil().getOrDefault(lane, 0L));
        return Math.max(position, Math.min(end, drawn()));
    }

    /** Whether the lane may have rows behind {@link #reach}. */
    boolean leavesBehind(Lane lane, long position) {
        return onlyLate || more.contains(lane) || reach(lane, position) < drawn();
    }

    /** Whether the next row of the lane is too large for a page of many lanes. */
    boolean isTooLargeFor(Lane lane) {
        return more.contains(lane) && !fresh.containsKey(lane);
    }

    /** A lane's rows in the order in which they are sent. */
    List<OutboxRow> rows(Lane lane) {
        List<OutboxRow> first = late.getOrDefault(lane, List.of());
        List<OutboxRow> then = fresh.getOrDefault(lane, List.of());
        if (first.isEmpty()) {
            return then;
        }
        var rows = new ArrayList<>(first);
        rows.addAll(then);
        return rows;
    }

    /** The bytes of the messages: bodies and headers. */
    long bytes() {
        return Stream.of(late, fresh)
                .flatMap(part -> part.values().stream())
                .flatMap(List::stream)
                .mapToLong(OutboxRow::weight)
                .sum();
    }

    /** The same, of which more is known about these lanes. */
    Page emptyUntil(Map<Lane, Long> ends) {
        var wider = new Sight(snapshot(), drawn(), holdsDue(), changes(), ends);
        return new Page(wider, late, fresh, more, lateCut, onlyLate);
    }

    /** For reading on behind late rows that did not fit: without bodies, which would keep the heap full meanwhile. */
    static Page cutAt(LateRows late) {
        var sight = new Sight(late.snapshot(), 0, false, 0);
        return new Page(sight, Map.of(), Map.of(), Set.of(), late.reached(), true);
    }

    /**
     * The late rows of this page that a later read has found; a page that says nothing if the destination is
     * paused now.
     */
    Page rest(Page found) {
        if (found.isPaused()) {
            return found;
        }
        var here = new Sight(snapshot(), drawn(), false, found.changes());
        return new Page(here, found.late, Map.of(), Set.of(), found.lateCut, true);
    }

    /**
     * Gathers what a read returns. The next read begins behind the last row of a page, and a value may have been drawn more than
     * once, as after a sequence was set back. So where rows are left behind, all with the value of the first of them are, unless
     * no others have come.
     */
    static final class Builder {
        private final Map<Lane, List<OutboxRow>> late = new HashMap<>();
        private final Map<Lane, List<OutboxRow>> fresh = new HashMap<>();
        private final Set<Lane> more = new HashSet<>();
        private long lateLeft = Long.MAX_VALUE;

        void addLate(Lane lane, List<OutboxRow> rows) {
            add(late, lane, rows);
        }

        void addFresh(Lane lane, List<OutboxRow> rows) {
            add(fresh, lane, rows);
        }

        /** The new row of the lane with this value, the last that is known of, does not fit. */
        void leaveFresh(Lane lane, long seq) {
            more.add(lane);
            List<OutboxRow> rows = fresh.get(lane);
            if (rows != null && rows.stream().anyMatch(row -> row.seq() < seq)) {
                rows.removeIf(row -> row.seq() >= seq);
            }
        }

        /** The late row with this value, the last that is known of in any lane, does not fit. */
        void leaveLate(long seq) {
            lateLeft = seq;
        }

        boolean isEmpty() {
            return late.isEmpty() && fresh.isEmpty();
        }

        Page build(Sight sight) {
            long lateCut = lateLeft == Long.MAX_VALUE ? WHOLE : cutLate();
            inOrder(late);
            inOrder(fresh);
            return new Page(sight, late, fresh, more, lateCut, false);
        }

        private long cutLate() {
            if (all(late).anyMatch(row -> row.seq() < lateLeft)) {
                late.values().forEach(rows -> rows.removeIf(row -> row.seq() >= lateLeft));
                late.values().removeIf(List::isEmpty);
            }
            return all(late).mapToLong(OutboxRow::seq).max().orElse(0);
        }

        private static Stream<OutboxRow> all(Map<Lane, List<OutboxRow>> rows) {
            return rows.values().stream().flatMap(List::stream);
        }

        private static void add(Map<Lane, List<OutboxRow>> all, Lane lane, List<OutboxRow> rows) {
            if (!rows.isEmpty()) {
                all.computeIfAbsent(lane, first -> new ArrayList<>()).addAll(rows);
            }
        }

        private static void inOrder(Map<Lane, List<OutboxRow>> rows) {
            rows.values().forEach(lane -> lane.sort(Comparator.comparingLong(OutboxRow::seq)));
        }
    }

    /**
     * The facts of a read besides its rows.
     *
     * @param snapshot in PostgreSQL's text form; empty if the destination is paused and nothing was read
     * @param drawn no sequence value above this had been drawn when the snapshot was taken
     * @param holdsDue whether holds of these lanes wait to be tried
     * @param changes as {@link Peek#changes}
     * @param emptyUntil lanes that have nothing between the end of their block and there
     */
    record Sight(String snapshot, long drawn, boolean holdsDue, long changes, Map<Lane, Long> emptyUntil) {
        Sight(String snapshot, long drawn, boolean holdsDue, long changes) {
            this(snapshot, drawn, holdsDue, changes, Map.of());
        }
    }
}
