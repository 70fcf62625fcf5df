package dev.waybill.relay;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A query for lanes that had nothing left: every row that their snapshots do not see, in the one block that it
 * must be in. Its transactions are those that have ended since some lane saw them running, and all later ones. They are one range
 * of ids from the first on; where a long one would keep that far back, those that were running are looked for one by one.
 *
 * @param block where the lanes stand
 * @param seen the lanes and what they have seen
 * @param transactions whose rows are asked for
 */
record HeadQuestion(long block, String destination, Seen seen, Transactions transactions) {
    /** Most rows of an answer; a head that has more is read as a page. */
    static final int MOST_ROWS = 200;

    private static final int BUCKETS = 32;

    /** Rows of so many transactions are looked through, although most were seen before. */
    private static final long FEW_TRANSACTIONS = 1_000;

    /** The lanes, each at its bucket, and their snapshots. */
    static final class Seen {
        private final Map<String, Byte> places = new LinkedHashMap<>();
        private final byte[] byBucket = new byte[BUCKETS];
        private final @Nullable Lane[] lanes = new Lane[BUCKETS];
        private String last = "";
        private byte place;

        // Most lanes have the same one.
        void add(Lane lane, String snapshot) {
            if (!snapshot.equals(last)) {
                place = places.computeIfAbsent(snapshot, text -> (byte) (places.size() + 1));
                last = snapshot;
            }
            byBucket[lane.bucket()] = place;
            lanes[lane.bucket()] = lane;
        }

        Lane lane(int bucket) {
            return Objects.requireNonNull(lanes[bucket]);
        }

        /** Each snapshot that any lane has. */
        Set<String> snapshots() {
            return places.keySet();
        }

        /** The same, as an array of the database. */
        String asArray() {
            var texts = CursorArrays.array();
            snapshots().forEach(text -> texts.add('"' + text + '"'));
            return texts.toString();
        }

        /**
         * A byte for each bucket, in hexadecimal digits: the place of its snapshot among them, from 1; 0 if it is not asked for.
         * An array would take the server longer, and bytes the driver writes with a backslash in simple query mode, which
         * {@code standard_conforming_strings = off} makes other bytes of.
         */
        String byBucket() {
            return HexFormat.of().formatHex(byBucket);
        }
    }

    /**
     * Transactions that no lane's snapshot sees.
     *
     * @param running those below the bound that some lane has seen running
     * @param bound and all from this one on
     * @param listed whether the running ones are asked for one by one, rather than all from the first of them that has ended
     */
    record Transactions(String running, long bound, boolean listed) {}

    /**
     * The question for these lanes.
     *
     * @param bounds tells from which transaction on values are drawn in a block
     * @return null if these lanes cannot be asked for in this way
     */
    static @Nullable HeadQuestion of(Map<Lane, Cursor> cursors, RingBounds bounds) {
        var seen = new Seen();
        long block = -1;
        String destination = "";
        for (Map.Entry<Lane, Cursor> entry : cursors.entrySet()) {
            Lane lane = entry.getKey();
            Cursor cursor = entry.getValue();
            long here = RingLayout.after(cursor.position());
            if (block != -1 && here != block) {
                return null;
            }
            block = here;
            destination = lane.destination();
            seen.add(lane, cursor.snapshot());
        }
        return of(block, destination, seen, bounds);
    }

    private static @Nullable HeadQuestion of(long block, String destination, Seen seen, RingBounds bounds) {
        var snapshots = new ArrayList<Snapshot>();
        long xmin = Long.MAX_VALUE;
        long xmax = Long.MAX_VALUE;
        for (String text : seen.snapshots()) {
            Snapshot snapshot = Snapshot.parse(text);
            snapshots.add(snapshot);
            xmin = Math.min(xmin, snapshot.xmin());
            xmax = Math.min(xmax, snapshot.xmax());
        }
        if (!bounds.allUnseenIsIn(block, xmin)) {
            return null;
        }
        var transactions = new Transactions(running(snapshots), xmax, xmax - xmin > FEW_TRANSACTIONS);
        return new HeadQuestion(block, destination, seen, transactions);
    }

    private static String running(List<Snapshot> snapshots) {
        StringJoiner ids = CursorArrays.array();
        snapshots.stream()
                .flatMap(snapshot -> snapshot.running().stream())
                .distinct()
                .forEach(ids::add);
        return ids.toString();
    }

    boolean isListed() {
        return transactions.listed();
    }

    Lane lane(int bucket) {
        return seen.lane(bucket);
    }

    /** Most rows that fit. */
    static int most(PageLimit limit) {
        return Math.min(limit.rows(), MOST_ROWS);
    }

    void bind(PreparedStatement statement, String token, PageLimit limit) throws SQLException {
        int next = 1;
        statement.setString(next++, destination);
        statement.setString(next++, token);
        statement.setString(next++, seen.byBucket());
        statement.setObject(next++, seen.asArray(), Types.OTHER);
        statement.setLong(next++, limit.bytes() / most(limit));
        statement.setObject(next++, transactions.running(), Types.OTHER);
        statement.setObject(next++, Long.toString(transactions.bound()), Types.OTHER);
        statement.setInt(next, most(limit) + 1);
    }
}
