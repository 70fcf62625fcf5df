package dev.waybill.relay;

import dev.waybill.relay.HeldSessions.SetAside;
import dev.waybill.relay.ProgressTable.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records how far the lanes came: all that moved in one statement, and not more often than every 50 ms. A crash repeats no
 * more than that. What was set aside or has failed does not wait. Confined to the loop's thread.
 */
final class Settles {
    private static final long INTERVAL_NANOS = Duration.ofMillis(50).toNanos();

    /** An idle lane still records what its cursor has seen, so that the next owner has little to look back at. */
    private static final long STALE_NANOS = Duration.ofSeconds(10).toNanos();

    private final OwnedLanes owned;
    private final LongSupplier nanoTime;
    private long lastNanos;

    Settles(OwnedLanes owned, LongSupplier nanoTime) {
        this.owned = owned;
        this.nanoTime = nanoTime;
        this.lastNanos = nanoTime.getAsLong() - INTERVAL_NANOS;
    }

    /** Records what moved, if it is time to. */
    void settleIfDue(RelayTables tables, boolean failed) {
        settle(tables, failed || anyMustNotWait() ? 0 : INTERVAL_NANOS);
    }

    private boolean anyMustNotWait() {
        for (LaneState state : owned.all()) {
            if (!state.held().isEmpty() || (state.isDraining() && state.isQuiet() && state.isUnsettled())) {
                return true;
            }
        }
        return false;
    }

    /** Records what moved. */
    void settleNow(RelayTables tables) {
        settle(tables, 0);
    }

    /** When the next settle is due; null if there is nothing to record soon. */
    @Nullable Long dueAtNanos() {
        for (LaneState state : owned.all()) {
            if (state.isUnsettled()) {
                return lastNanos + INTERVAL_NANOS;
            }
        }
        return null;
    }

    private void settle(RelayTables tables, long interval) {
        long now = nanoTime.getAsLong();
        boolean due = now - lastNanos >= interval;
        var unsettled = new ArrayList<LaneState>();
        boolean moved = false;
        for (LaneState state : owned.all()) {
            if (due && state.isUnsettled()) {
                unsettled.add(state);
                moved = true;
            } else if (state.isStale(now, STALE_NANOS)) {
                unsettled.add(state);
            }
        }
        if (!unsettled.isEmpty()) {
            record(tables, unsettled);
            lastNanos = moved ? now : lastNanos;
        }
    }

    private void record(RelayTables tables, List<LaneState> unsettled) {
        var settlements = new ArrayList<Settlement>();
        var held = new HashMap<Lane, List<SetAside>>();
        for (LaneState state : unsettled) {
            settlements.add(new Settlement(state.lane(), state.epoch(), state.cursor()));
            if (!state.held().isEmpty()) {
                held.put(state.lane(), List.copyOf(state.held()));
            }
        }
        Map<Lane, Cursor> recorded = held.isEmpty()
                ? tables.progress().settle(settlements)
                : tables.holds().settle(settlements, held);
        long now = nanoTime.getAsLong();
        for (LaneState state : unsettled) {
            @Nullable Cursor cursor = recorded.get(state.lane());
            if (cursor != null) {
                state.recorded(cursor, now);
                tables.reader().recorded(cursor);
            } else {
                owned.lose(state);
            }
        }
    }
}
