package dev.waybill.relay;

import dev.waybill.hold.Cause;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Facts that a loop and the heartbeat share: the loop writes that it moves and its state; the heartbeat, for how
 * long the database grants the loop's leases. Thread-safe.
 */
final class Liveness {
    /** Messages that went out longer ago say nothing about the broker now. */
    private static final Duration RECENT = Duration.ofSeconds(10);

    /** Before the loop has begun, and after its end. The view of alarms takes no other loop that stands still for sound. */
    static final String NOT_AT_WORK = "starting";

    private final String destination;
    private final Duration longestStep;
    private final LongSupplier nanoTime;
    private long movedAt;
    private long trustedUntil;
    private boolean ready;
    private boolean trusted;
    private int lapses;
    private long publishedAt;
    private boolean published;
    private String state = NOT_AT_WORK;
    private String detail = "";
    private long stateSince;

    /** @param longestStep a loop that has not taken a step for longer counts as hanging */
    Liveness(String destination, Duration longestStep, LongSupplier nanoTime) {
        this.destination = destination;
        this.longestStep = longestStep;
        this.nanoTime = nanoTime;
        this.movedAt = nanoTime.getAsLong();
        this.stateSince = movedAt;
    }

    String destination() {
        return destination;
    }

    /** The loop takes a step. */
    synchronized void moved() {
        movedAt = nanoTime.getAsLong();
    }

    /**
     * The loop has a connection and can take lanes. Until then it is not named, so that nobody gives it lanes that
     * it would leave waiting.
     *
     * @return whether that is new
     */
    synchronized boolean becomeReady() {
        boolean news = !ready;
        ready = true;
        return news;
    }

    /** The loop has lost its connection, and with it what it knew of its lanes: others may have them meanwhile. */
    synchronized void loseGround() {
        ready = false;
        lapse();
    }

    /** The loop says what it does. Only a change of state begins a new time. */
    synchronized void does(String newState, String newDetail) {
        if (!newState.equals(state)) {
            stateSince = nanoTime.getAsLong();
        }
        state = newState;
        // One text that the database does not store would cost the signs of life of all destinations.
        detail = new Cause(newState, newDetail).description();
    }

    /**
     * The loop has no trouble. It says that messages flow only while some do: a relay that has none to send knows nothing of
     * the broker, and must not hide the alarm of one that does.
     */
    synchronized void works(int messages) {
        if (messages > 0) {
            published = true;
            publishedAt = nanoTime.getAsLong();
        }
        boolean recent = published && nanoTime.getAsLong() - publishedAt < RECENT.toNanos();
        does(recent ? "flowing" : "idle", "");
    }

    /**
     * The report for the heartbeat. A loop that hangs must not trust its leases by the time that others read of
     * it.
     */
    synchronized RelayBeats.LoopReport report() {
        long now = nanoTime.getAsLong();
        boolean moves = ready && now - movedAt < longestStep.toNanos();
        if (!moves) {
            lapse();
        }
        long since = moves || !ready ? stateSince : movedAt;
        return new RelayBeats.LoopReport(destination, moves, state, Duration.ofNanos(now - since), detail);
    }

    /** The database grants the leases surely until then. */
    synchronized void trustUntil(long nanos) {
        if (!isTrusted()) {
            lapse();
        }
        trusted = true;
        trustedUntil = nanos;
    }

    /** Whether the loop's leases are valid as far as can be known here. */
    synchronized boolean isTrusted() {
        return trusted && trustedUntil - nanoTime.getAsLong() > 0;
    }

    /** The same, and no lapse has come since so many. */
    synchronized boolean isTrustedSince(int knownLapses) {
        return lapses == knownLapses && isTrusted();
    }

    private void lapse() {
        if (trusted) {
            lapses++;
        }
        trusted = false;
    }

    /** Grows each time that the leases may have been lost: what is believed of them must be read again. */
    synchronized int lapses() {
        return lapses;
    }
}
