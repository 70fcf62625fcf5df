package dev.waybill.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far one lane came in one turn. A lane that failed takes no part in what follows, so that nothing overtakes what
 * failed. Written by the publisher's threads one after the other, read when all have ended.
 */
final class LaneRun {
    private final Lane lane;
    private final LaneState state;
    private long position;
    private int accepted;
    private boolean broke;
    private boolean brokeInLate;
    private @Nullable Throwable failure;

    LaneRun(Lane lane, LaneState state) {
        this.lane = lane;
        this.state = state;
        this.position = state.cursor().position();
    }

    Lane lane() {
        return lane;
    }

    LaneState state() {
        return state;
    }

    /** What there is to send of these pages: late rows first. Nothing if the lane broke. */
    List<OutboxRow> rows(Map<Lane, List<OutboxRow>> late, Map<Lane, List<OutboxRow>> fresh) {
        var rows = new ArrayList<OutboxRow>();
        if (!broke) {
            rows.addAll(late.getOrDefault(lane, List.of()));
            rows.addAll(fresh.getOrDefault(lane, List.of()));
        }
        return rows;
    }

    void add(PublishResult result, List<OutboxRow> rows) {
        long startedAt = state.cursor().position();
        long lateRows = rows.stream().filter(row -> row.seq() <= startedAt).count();
        accepted += result.accepted();
        broke = result.accepted() < rows.size();
        brokeInLate = result.accepted() < lateRows;
        failure = result.failure();
        if (result.accepted() > lateRows) {
            position = rows.get(result.accepted() - 1).seq();
        }
    }

    /** Whether the cursor may move: a late row that was not accepted would be lost with the old snapshot. */
    boolean maySettle() {
        return !brokeInLate;
    }

    /** Whether the broker accepted anything, so that the cursor must be recorded. */
    boolean moved() {
        return accepted > 0;
    }

    Cursor cursorSeenIn(String snapshot) {
        return new Cursor(position, snapshot, state.cursor().nextXid());
    }

    TurnOutcome outcome() {
        return new TurnOutcome(accepted, failure);
    }
}
