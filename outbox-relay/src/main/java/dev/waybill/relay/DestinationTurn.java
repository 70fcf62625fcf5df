package dev.waybill.relay;

import dev.waybill.relay.ProgressTable.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One destination's turn: read, publish, settle, over all lanes this relay owns. Destinations share nothing but the
 * leases, so a slow or dead one delays nobody else. Not thread-safe: one thread calls {@link #run()}.
 */
final class DestinationTurn {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationTurn.class);

    /** An idle lane still records what its cursor has seen, so that the next owner has little to look back at. */
    private static final long RECORD_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

    private final String destination;
    private final RelayTables tables;
    private final Leases leases;
    private final Wave wave;
    private final LongSupplier nanoTime;
    private final Map<Lane, LaneState> lanes = new LinkedHashMap<>();

    DestinationTurn(String destination, RelayTables tables, Leases leases, Publisher publisher, LongSupplier nanoTime) {
        this.destination = destination;
        this.tables = tables;
        this.leases = leases;
        this.nanoTime = nanoTime;
        this.wave = new Wave(destination, publisher, leases);
    }

    /**
     * Takes one turn.
     *
     * @throws HistoryChangedException if the recorded cursors do not fit this database
     * @throws RuntimeException if the database fails; nothing is assumed about what it did
     */
    TurnOutcome run() {
        List<Lease> used = leases.use();
        try {
            adopt(used);
            TurnOutcome outcome = TurnOutcome.IDLE;
            for (Map<Lane, LaneState> group : bySnapshot()) {
                outcome = outcome.plus(turn(group));
            }
            return outcome;
        } catch (RuntimeException e) {
            lanes.clear();
            throw e;
        } finally {
            leases.endUse(used);
        }
    }

    private void adopt(List<Lease> used) {
        var buckets = new HashMap<Short, Lease>();
        used.forEach(lease -> buckets.put(lease.bucket(), lease));
        lanes.entrySet().removeIf(lane -> {
            Lease lease = buckets.get(lane.getKey().bucket());
            return lease == null || !lane.getValue().isOf(lease);
        });
        lanes.forEach((lane, state) -> {
            Lease lease = buckets.remove(lane.bucket());
            if (lease != null) {
                state.renewed(lease);
            }
        });
        if (!buckets.isEmpty()) {
            tables.history().check();
            Map<Lane, Cursor> recorded = tables.progress().load(destination, buckets.keySet());
            buckets.forEach((bucket, lease) -> {
                var lane = new Lane(destination, bucket);
                var cursor = recorded.getOrDefault(lane, Cursor.START);
                lanes.put(lane, new LaneState(lease, cursor, nanoTime.getAsLong()));
            });
        }
    }

    // The late arrivals of a lane are judged by its cursor's snapshot; after the first turns all lanes share one.
    private Iterable<Map<Lane, LaneState>> bySnapshot() {
        var groups = new LinkedHashMap<String, Map<Lane, LaneState>>();
        lanes.forEach(
                (lane, state) -> groups.computeIfAbsent(state.cursor().snapshot(), snapshot -> new LinkedHashMap<>())
                        .put(lane, state));
        return groups.values();
    }

    private TurnOutcome turn(Map<Lane, LaneState> group) {
        var runs = new ArrayList<LaneRun>();
        var cursors = new LinkedHashMap<Lane, Cursor>();
        group.forEach((lane, state) -> {
            runs.add(new LaneRun(lane, state));
            cursors.put(lane, state.cursor());
        });
        Page page = tables.reader().read(cursors, tables.pageRows());
        publish(runs, cursors, page);
        settle(runs, page.snapshot());
        return runs.stream().map(LaneRun::outcome).reduce(TurnOutcome.IDLE, TurnOutcome::plus);
    }

    // Fresh rows wait until everything late is accepted; normally both fit into one wave.
    private void publish(List<LaneRun> runs, Map<Lane, Cursor> cursors, Page page) {
        if (!page.moreLate()) {
            wave.send(runs, page.late(), page.fresh());
            return;
        }
        wave.send(runs, page.late(), Map.of());
        Page late = page;
        while (late.moreLate()) {
            late = tables.reader().readMoreLate(cursors, page, late.lastLate(), tables.pageRows());
            wave.send(runs, late.late(), Map.of());
        }
        wave.send(runs, Map.of(), page.fresh());
    }

    private void settle(List<LaneRun> runs, String snapshot) {
        var moved = new ArrayList<LaneRun>();
        long now = nanoTime.getAsLong();
        for (LaneRun run : runs) {
            if (run.maySettle() && (run.moved() || run.state().isStale(now, RECORD_INTERVAL_NANOS))) {
                moved.add(run);
            } else if (run.maySettle()) {
                run.state().seen(snapshot);
            }
        }
        if (!moved.isEmpty()) {
            record(moved, snapshot);
        }
    }

    private void record(List<LaneRun> moved, String snapshot) {
        Map<Lane, Cursor> recorded = tables.progress()
                .settle(moved.stream()
                        .map(run -> new Settlement(run.lane(), run.state().lease(), run.cursorSeenIn(snapshot)))
                        .toList());
        for (LaneRun run : moved) {
            Cursor cursor = recorded.get(run.lane());
            if (cursor != null) {
                run.state().recorded(cursor, nanoTime.getAsLong());
            } else {
                lose(run);
            }
        }
    }

    private void lose(LaneRun run) {
        LOG.info(
                "Bucket {} belongs to another relay now; it goes on from the last settled row",
                run.lane().bucket());
        leases.lost(run.state().lease());
        lanes.remove(run.lane());
    }
}
