package dev.waybill.journey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When lanes have passed their rows, by all cursors that are left of them. Cursors of a lane go one way only, so each row
 * is looked for from where it must be at the earliest. Not thread-safe.
 */
final class Lanes {
    private final Map<String, Lane> lanes = new HashMap<>();

    /** From cursors in the order in which they were recorded, lane by lane. */
    Lanes(List<Trail> cursors) {
        for (Trail row : cursors) {
            lanes.computeIfAbsent(row.text("lane"), lane -> new Lane()).add(Cursor.of(row));
        }
    }

    /** Between which two cursors a row was passed, for one that is known to be. */
    Passage passage(Trail row) {
        @Nullable Lane lane = lanes.get(row.text("lane"));
        return lane == null ? Passage.UNKNOWN : lane.passage(required(row, "origin"), required(row, "xid"));
    }

    /**
     * The moments between which a row was passed, as recorded.
     *
     * @param passed when the first cursor had passed the row; null if no cursor is left that had
     * @param notBefore when the last one had not; null if none is left
     */
    record Passage(@Nullable Instant passed, @Nullable Instant notBefore) {
        static final Passage UNKNOWN = new Passage(null, null);
    }

    private static long required(Trail row, String column) {
        @Nullable Long number = row.number(column);
        return number == null ? 0 : number;
    }

    private static final class Lane {
        private final List<Cursor> cursors = new ArrayList<>();
        private final Map<Long, Integer> firstToSee = new HashMap<>();

        // A rebase may take places and transaction ids back, and gives rows that wait new ones. The cursors from before
        // say nothing of them.
        void add(Cursor cursor) {
            if (!cursors.isEmpty() && cursors.get(cursors.size() - 1).isAhead(cursor)) {
                cursors.clear();
            }
            cursors.add(cursor);
        }

        Passage passage(long seq, long xid) {
            int behind = Math.max(firstBehind(seq), firstToSee.getOrDefault(xid, 0));
            int first = behind;
            while (first < cursors.size() && !cursors.get(first).sees(xid)) {
                first++;
            }
            if (first > behind) {
                firstToSee.put(xid, first);
            }
            return new Passage(
                    first == cursors.size() ? null : cursors.get(first).recordedAt,
                    first == 0 ? null : cursors.get(first - 1).recordedAt);
        }

        // Several stand at one place: the first of them.
        private int firstBehind(long seq) {
            int low = 0;
            int high = cursors.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (cursors.get(middle).position < seq) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /** A recorded cursor: it has passed what stands no later, and was committed when its snapshot was taken. */
    private record Cursor(long position, long nextXid, long xmin, long xmax, Set<String> running, Instant recordedAt) {
        static Cursor of(Trail row) {
            String[] snapshot = row.text("snapshot").split(":", -1);
            Set<String> running = snapshot[2].isEmpty() ? Set.of() : Set.of(snapshot[2].split(","));
            return new Cursor(
                    required(row, "position"),
                    required(row, "next_xid"),
                    Long.parseLong(snapshot[0]),
                    Long.parseLong(snapshot[1]),
                    running,
                    row.at());
        }

        boolean isAhead(Cursor next) {
            return nextXid > next.nextXid || position > next.position;
        }

        boolean sees(long xid) {
            return xid < nextXid && (xid < xmin || (xid < xmax && !running.contains(Long.toString(xid))));
        }
    }
}
