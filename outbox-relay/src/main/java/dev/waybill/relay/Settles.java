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
 * Records how far the lanes came: all that moved in one statement, every 200 ms while messages are few, and every 50 ms while
 * they are many. A crash repeats no more than that. Rows that were set aside or have failed do not wait. Where much was set
 * aside, a transaction records some lanes and the next one others, so that none keeps its lanes locked for long. Confined to
 * the loop's thread.
 */
final class Settles {
    /** Each settle has its price however little it records; a few messages may wait until more share it. */
    private static final long LONG_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();

    /** A crash would repeat a long interval's messages, and that is many now. */
    private static final long SHORT_INTERVAL_NANOS = Duration.ofMillis(50).toNanos();

    private static final int MANY_MESSAGES = 250;

    /** An idle lane still records what its cursor has seen, so that the next owner has little to look back at. */
    private static final long STALE_NANOS = Duration.ofSeconds(10).toNanos();

    /** Of one transaction, before a lane's last; a lane is never divided, so that its position passes nothing unrecorded. */
    private static final int MANY_HELD = 250;

    private final OwnedLanes owned;
    private final LongSupplier nanoTime;
    private final Runnable onMove;
    private final Recovery recovery;
    private long lastNanos;

    /** @param onMove called after each transaction */
    Settles(OwnedLanes owned, Recovery recovery, LongSupplier nanoTime, Runnable onMove) {
        this.owned = owned;
        this.recovery = recovery;
        this.nanoTime = nanoTime;
        this.onMove = onMove;
        this.lastNanos = nanoTime.getAsLong() - LONG_INTERVAL_NANOS;
    }

    /** Records what moved, if it is time to. */
    void settleIfDue(RelayTables tables, boolean failed) {
        settle(tables, failed || anyMustNotWait() ? 0 : interval());
    }

    private boolean anyMustNotWait() {
        for (LaneState state : owned.all()) {
            if (!state.held().isEmpty() || (state.isDraining() && state.isQuiet() && state.isUnsettled())) {
                return true;
            }
        }
        return false;
    }

    private long interval() {
        int messages = 0;
        for (LaneState state : owned.all()) {
            messages += state.unsettledMessages();
        }
        return messages < MANY_MESSAGES ? LONG_INTERVAL_NANOS : SHORT_INTERVAL_NANOS;
    }

    /** Records what moved. */
    void settleNow(RelayTables tables) {
        settle(tables, 0);
    }

    /** When the next settle is due; null if there is nothing to record soon. */
    @Nullable Long dueAtNanos() {
        for (LaneState state : owned.all()) {
            if (state.isUnsettled()) {
                return anyMustNotWait() ? lastNanos : lastNanos + interval();
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
            recordInShares(tables, unsettled);
            lastNanos = moved ? now : lastNanos;
        }
    }

    private void recordInShares(RelayTables tables, List<LaneState> unsettled) {
        var share = new ArrayList<LaneState>();
        int held = 0;
        for (LaneState state : unsettled) {
            share.add(state);
            held += state.held().size();
            if (held >= MANY_HELD) {
                record(tables, share);
                share.clear();
                held = 0;
            }
        }
        if (!share.isEmpty()) {
            record(tables, share);
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
        Map<Lane, Cursor> recorded;
        try {
            recorded = held.isEmpty()
                    ? tables.progress().settle(settlements)
                    : tables.holds().settle(settlements, held);
        } catch (RuntimeException | Error e) {
            recovery.unrecorded(unsettled);
            throw e;
        }
        recovery.recorded(unsettled);
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
        onMove.run();
    }
}
