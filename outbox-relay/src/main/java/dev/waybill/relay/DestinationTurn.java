package dev.waybill.relay;

import dev.waybill.relay.Aside.SetAside;
import dev.waybill.relay.HeldTurn.AttemptTime;
import dev.waybill.relay.ProgressTable.Settlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
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

    /** How long a turn that works off a backlog goes on without recording; a crash repeats no more than this. */
    private static final long SETTLE_INTERVAL_NANOS = Duration.ofMillis(50).toNanos();

    /** Two with the broker, so that it need not wait for the third to be read. */
    private static final int PAGES_ON_THE_WAY = 2;

    /** A turn keeps its buckets, so one that works off a backlog ends now and then to let others have their share. */
    private static final long LONGEST_TURN_NANOS = Duration.ofSeconds(1).toNanos();

    private final Outlet outlet;
    private final RelayTables tables;
    private final Leases leases;
    private final Wave wave;
    private final HeldTurn heldTurn;
    private final CautiousTurn cautiousTurn;
    private final LongSupplier nanoTime;
    private final PageSize pageSize;
    private final Map<Lane, LaneState> lanes = new LinkedHashMap<>();
    private boolean holdsDue;
    private int turns;

    DestinationTurn(Outlet outlet, RelayTables tables, Leases leases, LongSupplier nanoTime) {
        this.outlet = outlet;
        this.tables = tables;
        this.leases = leases;
        this.nanoTime = nanoTime;
        this.pageSize = new PageSize(tables.pageRows());
        this.wave = new Wave(outlet, leases);
        this.cautiousTurn = new CautiousTurn(tables, wave);
        this.heldTurn = new HeldTurn(
                outlet,
                tables.holds(),
                AttemptTime.of(leases.duration(), outlet.publisher().longestSend()),
                nanoTime);
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
            holdsDue = false;
            TurnOutcome outcome = TurnOutcome.IDLE;
            Map<Lane, Suspicion> suspected = suspected();
            for (Map.Entry<Lane, LaneState> lane : List.copyOf(lanes.entrySet())) {
                @Nullable Suspicion suspicion = suspected.get(lane.getKey());
                if (suspicion != null) {
                    outcome = outcome.plus(cautiously(lane.getKey(), lane.getValue(), suspicion));
                }
            }
            for (Map<Lane, LaneState> group : bySnapshot(suspected.keySet())) {
                outcome = outcome.plus(turn(group));
            }
            return holdsDue ? outcome.plus(heldTurn.run(buckets(used), tables.pageRows())) : outcome;
        } catch (RuntimeException e) {
            lanes.clear();
            throw e;
        } finally {
            leases.endUse(used);
        }
    }

    private static List<Short> buckets(List<Lease> used) {
        return used.stream().map(Lease::bucket).toList();
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
            Map<Lane, Cursor> cursors = cursorsOf(buckets.keySet());
            Map<Lane, Suspicion> suspicions = tables.suspicions().load(outlet.destination(), cursors);
            cursors.forEach((lane, cursor) -> {
                Lease lease = Objects.requireNonNull(buckets.get(lane.bucket()));
                lanes.put(lane, new LaneState(lease, cursor, suspicions.get(lane), nanoTime.getAsLong()));
            });
        }
    }

    private Map<Lane, Cursor> cursorsOf(Set<Short> buckets) {
        Map<Lane, Cursor> cursors = tables.progress().load(outlet.destination(), buckets);
        List<Lane> unrecorded = buckets.stream()
                .map(bucket -> new Lane(outlet.destination(), bucket))
                .filter(lane -> !cursors.containsKey(lane))
                .toList();
        if (!unrecorded.isEmpty()) {
            cursors.putAll(tables.reader().start(unrecorded));
        }
        return cursors;
    }

    // The late arrivals of a lane are judged by its cursor's snapshot; after the first turns all lanes share one.
    private Iterable<Map<Lane, LaneState>> bySnapshot(Set<Lane> without) {
        var groups = new LinkedHashMap<String, Map<Lane, LaneState>>();
        lanes.forEach((lane, state) -> {
            if (!without.contains(lane)) {
                groups.computeIfAbsent(state.cursor().snapshot(), snapshot -> new LinkedHashMap<>())
                        .put(lane, state);
            }
        });
        return groups.values();
    }

    private Map<Lane, Suspicion> suspected() {
        var suspected = new HashMap<Lane, Suspicion>();
        lanes.forEach((lane, state) -> {
            @Nullable Suspicion suspicion = cautiousTurn.grave(lane, state);
            if (suspicion != null) {
                suspected.put(lane, suspicion);
            }
        });
        return suspected;
    }

    private TurnOutcome cautiously(Lane lane, LaneState state, Suspicion suspicion) {
        CautiousTurn.@Nullable Walk walk = cautiousTurn.walk(lane, state, suspicion, outlet.policy());
        if (walk == null) {
            return TurnOutcome.IDLE;
        }
        LaneRun run = walk.run();
        if (run.maySettle()) {
            state.reached(run.position(), walk.snapshot(), run.moved(), run.held());
            var alone = new LinkedHashMap<>(Map.of(lane, state));
            record(new LinkedHashMap<>(alone), alone);
            cautiousTurn.settled(lane, state, walk);
        }
        return run.outcome();
    }

    // While pages are on their way the next one is read, so that neither the broker nor the database waits for the
    // other.
    private TurnOutcome turn(Map<Lane, LaneState> group) {
        long end = nanoTime.getAsLong() + LONGEST_TURN_NANOS;
        var flights = new ArrayDeque<Flight>();
        flights.add(Flight.depart(firstRuns(group), tables, wave, pageSize));
        TurnOutcome outcome = TurnOutcome.IDLE;
        try {
            while (outcome.failure() == null && mayReadAhead(flights.getLast(), end)) {
                flights.add(flights.getLast().next(tables, wave, pageSize));
                if (flights.size() > PAGES_ON_THE_WAY) {
                    outcome = outcome.plus(land(flights.getFirst()));
                    flights.removeFirst();
                    settle(group, SETTLE_INTERVAL_NANOS);
                }
            }
            for (Flight flight : flights) {
                outcome = outcome.plus(land(flight));
            }
            settle(group, 0);
            return outcome;
        } catch (RuntimeException e) {
            flights.forEach(Flight::giveUp);
            throw e;
        }
    }

    // In another order each time: the one shipment that a broken destination is tried with is to be any lane's.
    private List<LaneRun> firstRuns(Map<Lane, LaneState> group) {
        var runs = new ArrayList<LaneRun>();
        group.forEach((lane, state) -> runs.add(LaneRun.first(lane, state, outlet.policy())));
        Collections.rotate(runs, turns++);
        return runs;
    }

    private boolean mayReadAhead(Flight flight, long end) {
        return flight.leftRowsBehind() && nanoTime.getAsLong() - end < 0;
    }

    private TurnOutcome land(Flight flight) {
        flight.land();
        holdsDue |= flight.sawHoldsDue();
        for (LaneRun run : flight.runs()) {
            if (!flight.isPaused() && run.maySettle()) {
                run.state().reached(run.position(), flight.snapshot(), run.moved(), run.held());
            }
        }
        return flight.outcome();
    }

    /** Records how far the lanes came, if the last time was long enough ago. */
    private void settle(Map<Lane, LaneState> group, long interval) {
        long now = nanoTime.getAsLong();
        var unsettled = new LinkedHashMap<Lane, LaneState>();
        group.forEach((lane, state) -> {
            if (state.isUnsettled(now, interval) || state.isStale(now, RECORD_INTERVAL_NANOS)) {
                unsettled.put(lane, state);
            }
        });
        if (!unsettled.isEmpty()) {
            record(group, unsettled);
        }
    }

    private void record(Map<Lane, LaneState> group, Map<Lane, LaneState> unsettled) {
        var settlements = new ArrayList<Settlement>();
        unsettled.forEach((lane, state) -> settlements.add(new Settlement(lane, state.lease(), state.cursor())));
        var held = new HashMap<Lane, List<SetAside>>();
        unsettled.forEach((lane, state) -> {
            if (!state.held().isEmpty()) {
                held.put(lane, state.held());
            }
        });
        Map<Lane, Cursor> recorded = held.isEmpty()
                ? tables.progress().settle(settlements)
                : tables.holds().settle(settlements, held);
        unsettled.forEach((lane, state) -> {
            Cursor cursor = recorded.get(lane);
            if (cursor != null) {
                state.recorded(cursor, nanoTime.getAsLong());
            } else {
                lose(lane, state.lease());
                group.remove(lane);
            }
        });
    }

    private void lose(Lane lane, Lease lease) {
        LOG.info("Bucket {} belongs to another relay now; it goes on from the last settled row", lane.bucket());
        leases.lost(lease);
        lanes.remove(lane);
    }
}
