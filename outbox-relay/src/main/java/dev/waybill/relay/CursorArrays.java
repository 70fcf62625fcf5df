package dev.waybill.relay;

import dev.waybill.message.WireContract;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Cursors as the parallel arrays that the statements take. Lanes with the same snapshot and bound, usually all, share a
 * group, so that late rows are looked for once for all of them.
 */
final class CursorArrays {
    private final String destination;
    private final String snapshots;
    private final String nextXids;
    private final String buckets;
    private final String positions;
    private final String groups;

    /** A byte for each bucket, in hexadecimal digits: the place of its lane, from 1; 0 if it is not asked for. */
    private final String places;

    /** @param cursors of one destination, not empty */
    CursorArrays(Map<Lane, Cursor> cursors) {
        destination = cursors.keySet().iterator().next().destination();
        var known = new LinkedHashMap<String, Integer>();
        var snapshotList = array();
        var nextXidList = array();
        var bucketList = array();
        var positionList = array();
        var groupList = array();
        var byBucket = new byte[WireContract.BUCKETS];
        int place = 0;
        for (Map.Entry<Lane, Cursor> asked : cursors.entrySet()) {
            Lane lane = asked.getKey();
            Cursor cursor = asked.getValue();
            int group = known.computeIfAbsent(cursor.snapshot() + '/' + cursor.nextXid(), key -> {
                snapshotList.add('"' + cursor.snapshot() + '"');
                nextXidList.add(Long.toString(cursor.nextXid()));
                return known.size() + 1;
            });
            bucketList.add(Short.toString(lane.bucket()));
            positionList.add(Long.toString(cursor.position()));
            groupList.add(Integer.toString(group));
            byBucket[lane.bucket()] = (byte) ++place;
        }
        snapshots = snapshotList.toString();
        nextXids = nextXidList.toString();
        buckets = bucketList.toString();
        positions = positionList.toString();
        groups = groupList.toString();
        places = HexFormat.of().formatHex(byBucket);
    }

    static StringJoiner array() {
        return new StringJoiner(",", "{", "}");
    }

    /** Fills the parameters that all reads begin with; returns the number of the next. */
    int bind(PreparedStatement statement, String token, PageLimit limit) throws SQLException {
        statement.setString(1, destination);
        statement.setString(2, token);
        statement.setInt(3, limit.rows());
        statement.setLong(4, limit.bytes());
        statement.setBoolean(5, limit.atLeastOne());
        statement.setObject(6, snapshots, Types.OTHER);
        statement.setObject(7, nextXids, Types.OTHER);
        statement.setObject(8, buckets, Types.OTHER);
        statement.setObject(9, positions, Types.OTHER);
        statement.setObject(10, groups, Types.OTHER);
        statement.setString(11, places);
        return 12;
    }
}
