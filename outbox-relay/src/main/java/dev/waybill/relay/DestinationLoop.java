package dev.waybill.relay;

import dev.waybill.hold.Cause;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Takes a destination's steps one after the other, says how long to rest between them, and tells what it does. */
final class DestinationLoop {
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);
    private static final int NOT_ALONE = -1;

    private final DestinationSender sender;
    private final DestinationTurn turn;
    private final Pace pace;
    private final Liveness liveness;
    private final DestinationAlarm alarm;
    private final Runnable onReady;
    private final DestinationLog log;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean restsOn;
    private volatile int aloneAtLapses = NOT_ALONE;
    private @Nullable CompletableFuture<?> prepared;
    private boolean failing;
    private boolean recovering;

    /** @param onReady told when the loop can take lanes or cannot any more, and when it works again */
    DestinationLoop(
            DestinationSender sender,
            DestinationTurn turn,
            Pace pace,
            Liveness liveness,
            DestinationAlarm alarm,
            Runnable onReady) {
        this.sender = sender;
        this.turn = turn;
        this.pace = pace;
        this.liveness = liveness;
        this.alarm = alarm;
        this.onReady = onReady;
        log = new DestinationLog(sender.destination());
    }

    /**
     * Says that there may be something new. From any thread.
     *
     * @return whether the loop's rest must be ended; false if it knows already and has not looked since, or if its next
     *     look comes as soon as one may, or if its last step has failed
     */
    boolean wake() {
        return !woken.get() && !woken.getAndSet(true) && !restsOn;
    }

    /** Whether no other relay publishes anything to the destination, as far as can be known here. From any thread. */
    boolean isAlone() {
        int lapses = aloneAtLapses;
        return lapses != NOT_ALONE && liveness.isTrustedSince(lapses);
    }

    /** The failures of its steps. */
    Fault fault() {
        return log.database();
    }

    /** One step; a failure of any kind is told and waited out, never thrown. */
    Duration step() {
        liveness.moved();
        // Answers to what was given up would else end it, and each of them would cost a connection.
        Duration left = pace.leftAfterFailure();
        if (!left.isZero()) {
            return left;
        }
        try {
            boolean look = isLookWorthIt();
            // Before the step: of a lapse that comes later it may know nothing.
            int lapses = liveness.lapses();
            TurnOutcome outcome = turn.step(look);
            aloneAtLapses = turn.ownsAll() ? lapses : NOT_ALONE;
            if (turn.isConnected()) {
                tellReady();
                tell(outcome);
                tellState(outcome);
            }
            paceAfter(outcome, look);
            return rest();
        } catch (HistoryChangedException e) {
            return failed("history", e);
        } catch (RuntimeException | Error e) {
            return failed("failing", e);
        }
    }

    private boolean isLookWorthIt() {
        if (woken.get() || turn.owesLook()) {
            pace.woken();
        }
        if (!pace.isLookDue()) {
            return false;
        }
        // Before the look, so that a commit after it tells again. One told just now asks for more than a glance.
        if (woken.getAndSet(false)) {
            pace.woken();
        }
        if (!pace.looks()) {
            return true;
        }
        @Nullable Peek peek = turn.peek();
        return peek == null || (pace.isActive(peek.drawn()) && !turn.isUpToDate(peek));
    }

    private void paceAfter(TurnOutcome outcome, boolean look) {
        if (outcome.moved()) {
            pace.afterWork(outcome.published());
        } else if (look || pace.isLookDue()) {
            if (turn.isPaused() || !turn.maySend()) {
                pace.findsNothing();
            }
            pace.afterIdle();
        }
    }

    private Duration rest() {
        Duration spared = sender.breaker().rest();
        restsOn = pace.isLookAsSoonAsItMay();
        // After it was said that nobody need end the rest, or not, so that no wake falls between the two.
        if (turn.isBehind() || (!restsOn && woken.get())) {
            return Duration.ZERO;
        }
        Duration longest = spared.isZero() ? shorter(pace.untilLook(), LONGEST_REST) : shorter(spared, LONGEST_REST);
        return turn.rest(longest);
    }

    private void tellReady() {
        failing = false;
        if (isPrepared() && liveness.becomeReady()) {
            onReady.run();
        }
    }

    private boolean isPrepared() {
        if (prepared == null) {
            prepared = turn.prepare();
        }
        return prepared.isDone();
    }

    private void tell(TurnOutcome outcome) {
        log.sent(outcome.failure(), sender.breaker());
        log.holds(outcome.held(), turn.takeHeldSent(), sender.breaker().refusedMessage());
        alarm.tell(sender.breaker().refusal(), outcome.published() > 0);
    }

    // A failure stands until it is known to be over: messages flow also while none of them can be recorded. A broker
    // that takes nothing leaves nothing to be recorded.
    private void tellState(TurnOutcome outcome) {
        if (!turn.isRecovered() && sender.breaker().trouble() == null) {
            return;
        }
        log.goesOn();
        pace.recovered();
        does(outcome);
        if (recovering) {
            recovering = false;
            onReady.run();
        }
    }

    private void does(TurnOutcome outcome) {
        @Nullable PublishResult trouble = sender.breaker().trouble();
        if (trouble != null) {
            Cause cause = LanePage.causeOf(trouble.failure());
            liveness.does(label(trouble.outcome()), cause.reason() + ": " + cause.description());
        } else if (turn.isPaused()) {
            liveness.does("paused", "");
        } else {
            liveness.works(outcome.published());
        }
    }

    private static String label(Outcome outcome) {
        return outcome == Outcome.DESTINATION_REFUSED
                ? "refused"
                : outcome.name().toLowerCase(Locale.ROOT);
    }

    private Duration failed(String state, Throwable e) {
        // Commits would else end each rest, and every one of them would cost a connection.
        restsOn = true;
        aloneAtLapses = NOT_ALONE;
        liveness.does(state, RootCause.of(e));
        log.failed(e);
        if (!failing) {
            liveness.loseGround();
            onReady.run();
        }
        failing = true;
        recovering = true;
        return pace.afterFailure();
    }

    /**
     * For turns without a thread: connects to the database and the broker, so that a beat may name the
     * destination.
     */
    void getReady() {
        liveness.moved();
        turn.prepare().join();
        liveness.becomeReady();
    }

    /**
     * For turns without a thread: publishes what is there now, and settles it.
     *
     * @throws RuntimeException if the database fails; nothing is assumed about what it did
     */
    TurnOutcome runWhole() {
        liveness.moved();
        TurnOutcome outcome = turn.run();
        tell(outcome);
        does(outcome);
        return outcome;
    }

    /** Whether it has the connection that it keeps. */
    boolean isConnected() {
        return turn.isConnected();
    }

    /** Lets what is on its way end, and gives everything back. */
    void leave(Duration patience) {
        aloneAtLapses = NOT_ALONE;
        try {
            int left = turn.leave(patience);
            log.left(left);
            if (left == 0) {
                standAside();
            }
        } catch (RuntimeException e) {
            log.notLeft(e);
        } finally {
            turn.close();
        }
    }

    // Others count this relay among those that share the destination until it says that it does not, and another
    // destination may keep it here for long.
    private void standAside() {
        liveness.does(Liveness.NOT_AT_WORK, "the relay stops");
        liveness.loseGround();
        onReady.run();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
