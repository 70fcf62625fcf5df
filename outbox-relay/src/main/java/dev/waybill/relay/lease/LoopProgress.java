package dev.waybill.relay.lease;

import dev.waybill.hold.Cause;
import dev.waybill.relay.RelayHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The states of the loop, for heartbeats. Thread-safe. */
public final class LoopProgress {
    /** Before the loop starts, and after its end. */
    public static final String NOT_AT_WORK = "starting";

    /** The database fails; alarms report this by other means. */
    public static final String FAILING = "failing";

    /** How long an accepted message shows that the broker works. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    private final Map<String, Work> work = new LinkedHashMap<>();
    private final Duration longestStep;
    private final LongSupplier nanoTime;
    private final Work background;
    private boolean ready;
    private long lastTurnAt;

    /** @param longestStep a loop without a turn for longer hangs */
    public LoopProgress(Collection<String> destinations, Duration longestStep, LongSupplier nanoTime) {
        this.longestStep = longestStep;
        this.nanoTime = nanoTime;
        lastTurnAt = nanoTime.getAsLong();
        background = new Work(lastTurnAt);
        destinations.forEach(destination -> work.put(destination, new Work(lastTurnAt)));
    }

    public synchronized void tookTurn() {
        lastTurnAt = nanoTime.getAsLong();
    }

    /** The loop has a connection and can serve destinations. Until then no other relay releases any to this one. */
    public synchronized void becomeReady() {
        ready = true;
        tookTurn();
    }

    /** The loop has lost its connection: it serves nothing, and its lease lapses with the next heartbeat. */
    public synchronized void becomeUnready() {
        ready = false;
    }

    /** Sets the state of a destination. An unchanged state keeps its start time. */
    public synchronized void enter(String destination, String state, String detail) {
        of(destination).enter(state, detail, nanoTime.getAsLong());
    }

    public synchronized void enter(String state, String detail) {
        work.keySet().forEach(destination -> enter(destination, state, detail));
    }

    /** The destination works. It is "flowing" only after recent messages: an idle relay must not hide another relay's alarm. */
    public synchronized void succeeded(String destination, int messages) {
        Work its = of(destination);
        long now = nanoTime.getAsLong();
        its.accepted += messages;
        if (messages > 0) {
            its.published = true;
            its.publishedAt = now;
        }
        boolean recent = its.published && now - its.publishedAt < RECENT.toNanos();
        its.enter(recent ? "flowing" : "idle", "", now);
    }

    /** Work outside the destinations fails. */
    public synchronized void backgroundFailed(String why) {
        background.enter(FAILING, why, nanoTime.getAsLong());
    }

    public synchronized void backgroundRecovered() {
        background.enter(NOT_AT_WORK, "", nanoTime.getAsLong());
    }

    /** What a heartbeat would say, for this process. */
    public synchronized RelayHealth health() {
        long now = nanoTime.getAsLong();
        return new RelayHealth(
                moves(now),
                work.entrySet().stream()
                        .map(each -> each.getValue().health(each.getKey(), now))
                        .toList());
    }

    private boolean moves(long now) {
        return ready && now - lastTurnAt < longestStep.toNanos();
    }

    public synchronized Report report() {
        long now = nanoTime.getAsLong();
        boolean moves = moves(now);
        var states = new ArrayList<Report.State>();
        work.forEach((destination, its) ->
                states.add(its.state(destination, now, moves || !ready ? its.since : lastTurnAt)));
        if (background.state.equals(FAILING)) {
            states.add(background.state(null, now, background.since));
        }
        return new Report(moves, moves ? List.copyOf(work.keySet()) : List.of(), states);
    }

    private Work of(String destination) {
        @Nullable Work its = work.get(destination);
        if (its == null) {
            throw new IllegalArgumentException("This relay does not serve '" + destination + "'");
        }
        return its;
    }

    private static final class Work {
        private String state = NOT_AT_WORK;
        private String detail = "";
        private long accepted;
        private long countedFrom;
        private long since;
        private boolean published;
        private long publishedAt;

        Work(long since) {
            this.since = since;
            this.countedFrom = since;
        }

        // Cause removes NUL: one bad text would fail the heartbeats of all destinations.
        void enter(String newState, String newDetail, long now) {
            if (!newState.equals(state)) {
                since = now;
            }
            state = newState;
            detail = new Cause(newState, newDetail).description();
        }

        private double rate(long now) {
            double seconds = (now - countedFrom) / 1e9;
            double rate = seconds <= 0 ? 0 : accepted / seconds;
            accepted = 0;
            countedFrom = now;
            return rate;
        }

        RelayHealth.Destination health(String destination, long now) {
            return new RelayHealth.Destination(destination, state, Duration.ofNanos(now - since), detail);
        }

        Report.State state(@Nullable String destination, long now, long from) {
            return new Report.State(destination, state, Duration.ofNanos(now - from), detail, rate(now));
        }
    }
}
