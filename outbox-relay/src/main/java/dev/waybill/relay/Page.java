package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one read returned.
 *
 * @param snapshot what the read saw, in PostgreSQL's text form
 * @param late rows below the cursors' positions that committed since the cursors' snapshot, by lane
 * @param fresh rows above the positions, by lane
 * @param lastLate the highest sequence value among the late rows
 * @param moreLate whether late rows were left behind by the limit
 */
record Page(
        String snapshot,
        Map<Lane, List<OutboxRow>> late,
        Map<Lane, List<OutboxRow>> fresh,
        long lastLate,
        boolean moreLate) {

    static Page of(String snapshot, Collection<OutboxRow> late, Collection<OutboxRow> fresh, int limit) {
        long lastLate = late.stream().mapToLong(OutboxRow::seq).max().orElse(0);
        return new Page(snapshot, byLane(late), byLane(fresh), lastLate, late.size() == limit);
    }

    private static Map<Lane, List<OutboxRow>> byLane(Collection<OutboxRow> rows) {
        var lanes = new HashMap<Lane, List<OutboxRow>>();
        for (OutboxRow row : rows) {
            lanes.computeIfAbsent(row.lane(), lane -> new ArrayList<>()).add(row);
        }
        lanes.values().forEach(lane -> lane.sort(Comparator.comparingLong(OutboxRow::seq)));
        return lanes;
    }
}
