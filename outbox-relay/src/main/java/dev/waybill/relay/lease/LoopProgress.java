package dev.waybill.relay.lease;

import dev.waybill.hold.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What a loop says of itself, for the heartbeat to report. Thread-safe. */
public final class LoopProgress {
    /** Before the loop has begun, and after its end. The view of alarms takes no other loop that stands still for sound. */
    public static final String NOT_AT_WORK = "starting";

    /** The database fails; others see it as an alarm of its own. */
    public static final String FAILING = "failing";

    /** Messages that went out longer ago say nothing about the broker now. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    private final Map<String, Work> work = new LinkedHashMap<>();
    private final Duration longestStep;
    private final LongSupplier nanoTime;
    private final Work beside;
    private boolean ready;
    private long movedAt;

    /** @param longestStep a loop that has taken no turn for longer counts as hanging */
    public LoopProgress(Collection<String> destinations, Duration longestStep, LongSupplier nanoTime) {
        this.longestStep = longestStep;
        this.nanoTime = nanoTime;
        movedAt = nanoTime.getAsLong();
        beside = new Work(movedAt);
        destinations.forEach(destination -> work.put(destination, new Work(movedAt)));
    }

    /** The loop takes a turn. */
    public synchronized void moved() {
        movedAt = nanoTime.getAsLong();
    }

    /** The loop has its connection and can take destinations. Until then it serves none, so that no relay gives it one. */
    public synchronized void becomeReady() {
        ready = true;
        moved();
    }

    /** The loop has lost its connection: it serves nothing, and its lease lapses with the next heartbeat. */
    public synchronized void loseGround() {
        ready = false;
    }

    /** The loop says what it does for a destination. Only a change of state begins a new time. */
    public synchronized void does(String destination, String state, String detail) {
        of(destination).enter(state, detail, nanoTime.getAsLong());
    }

    /** The loop says so of all destinations. */
    public synchronized void does(String state, String detail) {
        work.keySet().forEach(destination -> does(destination, state, detail));
    }

    /**
     * The loop has no trouble with a destination. It says that messages flow only while some do: a relay that has none to send
     * knows nothing of the broker, and must not hide the alarm of one that does.
     */
    public synchronized void works(String destination, int messages) {
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

    /** Work for no destination fails. */
    public synchronized void troubled(String why) {
        beside.enter(FAILING, why, nanoTime.getAsLong());
    }

    /** Work for no destination succeeds again. */
    public synchronized void untroubled() {
        beside.enter(NOT_AT_WORK, "", nanoTime.getAsLong());
    }

    /** What a heartbeat writes. */
    public synchronized Report report() {
        long now = nanoTime.getAsLong();
        boolean moves = ready && now - movedAt < longestStep.toNanos();
        var states = new ArrayList<Report.State>();
        work.forEach(
                (destination, its) -> states.add(its.state(destination, now, moves || !ready ? its.since : movedAt)));
        if (beside.state.equals(FAILING)) {
            states.add(beside.state(null, now, beside.since));
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

        // One text that the database does not store would cost the heartbeats of all destinations.
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

        Report.State state(@Nullable String destination, long now, long from) {
            return new Report.State(destination, state, Duration.ofNanos(now - from), detail, rate(now));
        }
    }
}
