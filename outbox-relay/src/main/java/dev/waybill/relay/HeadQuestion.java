package dev.waybill.relay;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What to ask for lanes that had nothing left: everything that their snapshots do not see, in the one block that it must be
 * in.
 *
 * @param block where the lanes stand
 * @param byBucket the lanes, each at its bucket
 */
record HeadQuestion(
        long block,
        Map<Integer, Lane> byBucket,
        String destination,
        String snapshots,
        String seen,
        String running,
        long bound) {
    private static final int BUCKETS = 32;

    /**
     * The question for these lanes.
     *
     * @param bounds tells from which transaction on values are drawn in a block
     * @return null if these lanes cannot be asked for in this way
     */
    static @Nullable HeadQuestion of(Map<Lane, Cursor> cursors, BlockBounds bounds) {
        var snapshots = new LinkedHashMap<String, Integer>();
        var byBucket = new LinkedHashMap<Integer, Lane>();
        int[] seen = new int[BUCKETS];
        long block = -1;
        String destination = "";
        for (Map.Entry<Lane, Cursor> entry : cursors.entrySet()) {
            Lane lane = entry.getKey();
            Cursor cursor = entry.getValue();
            long here = Block.after(cursor.position());
            if (block != -1 && here != block) {
                return null;
            }
            block = here;
            destination = lane.destination();
            byBucket.put((int) lane.bucket(), lane);
            seen[lane.bucket()] = snapshots.computeIfAbsent(cursor.snapshot(), text -> snapshots.size() + 1);
        }
        return of(block, byBucket, destination, snapshots, seen, bounds);
    }

    private static @Nullable HeadQuestion of(
            long block,
            Map<Integer, Lane> byBucket,
            String destination,
            Map<String, Integer> snapshots,
            int[] seen,
            BlockBounds bounds) {
        var texts = CursorArrays.array();
        var running = new LinkedHashSet<String>();
        long xmin = Long.MAX_VALUE;
        long xmax = Long.MAX_VALUE;
        for (String text : snapshots.keySet()) {
            Snapshot snapshot = Snapshot.parse(text);
            texts.add('"' + text + '"');
            running.addAll(snapshot.running());
            xmin = Math.min(xmin, snapshot.xmin());
            xmax = Math.min(xmax, snapshot.xmax());
        }
        if (!bounds.allUnseenIsIn(block, xmin)) {
            return null;
        }
        var groups = CursorArrays.array();
        for (int group : seen) {
            groups.add(Integer.toString(group));
        }
        StringJoiner ids = CursorArrays.array();
        running.forEach(ids::add);
        return new HeadQuestion(
                block, byBucket, destination, texts.toString(), groups.toString(), ids.toString(), xmax);
    }

    Lane lane(int bucket) {
        return Objects.requireNonNull(byBucket.get(bucket));
    }

    void bind(PreparedStatement statement, String token, PageLimit limit) throws SQLException {
        statement.setString(1, destination);
        statement.setString(2, token);
        statement.setInt(3, limit.rows() * byBucket.size());
        statement.setLong(4, limit.bytes());
        statement.setObject(5, snapshots, Types.OTHER);
        statement.setObject(6, seen, Types.OTHER);
        statement.setObject(7, running, Types.OTHER);
        statement.setObject(8, Long.toString(bound), Types.OTHER);
    }
}
