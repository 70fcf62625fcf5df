package dev.waybill.relay;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts.Limits;
import dev.waybill.relay.Publisher.Entity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Publishes held messages that are due: each hold in order, several holds side by side, while the lanes go on. Until a hold is
 * empty, new rows of its session join it, so nothing overtakes. Confined to the loop's thread.
 */
final class HeldTurn {
    private static final int HOLDS_AT_ONCE = 16;

    /** A held message whose sends never end well is not to take a turn's time each time. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private final DestinationSender sender;
    private final Recovery recovery;
    private final AttemptTime time;
    private final LongSupplier nanoTime;
    private final Runnable onArrival;
    private final Supplier<Optional<Entity>> entity;
    private final List<Sending> sendings = new ArrayList<>();
    private volatile boolean leaving;
    private int sent;

    /** @param entity where the lanes of the loop are sent to */
    HeldTurn(
            DestinationSender sender,
            Recovery recovery,
            AttemptTime time,
            LongSupplier nanoTime,
            Supplier<Optional<Entity>> entity,
            Runnable onArrival) {
        this.sender = sender;
        this.recovery = recovery;
        this.time = time;
        this.nanoTime = nanoTime;
        this.entity = entity;
        this.onArrival = onArrival;
    }

    /** Whether nothing of a hold is on its way. */
    boolean isQuiet() {
        return sendings.isEmpty();
    }

    /** How many messages have left their holds since the last call. */
    int takeSent() {
        int taken = sent;
        sent = 0;
        return taken;
    }

    /** Forgets what is on its way; nobody else tries it before the attempt's time is up. */
    void forget() {
        sendings.clear();
    }

    /** Lets nothing more be sent: what is under way is settled before the loop ends. */
    void leave() {
        leaving = true;
    }

    /** Begins to send what is due of the holds of these buckets. */
    void begin(OutboxHolds holds, Collection<Short> buckets, int pageRows) {
        long end = nanoTime.getAsLong() + time.mayStart().toNanos();
        for (Attempt attempt : holds.begin(
                sender.destination(),
                buckets,
                new Limits(HOLDS_AT_ONCE, pageRows, LaneReads.mostBytes(), time.whole()))) {
            sendings.add(new Sending(attempt, publish(attempt, end)));
        }
    }

    /** Settles what has come back. */
    TurnOutcome land(OutboxHolds holds) {
        TurnOutcome outcome = TurnOutcome.IDLE;
        for (Sending sending : List.copyOf(sendings)) {
            if (sending.result.isDone()) {
                sendings.remove(sending);
                outcome = outcome.plus(settle(holds, sending.attempt, sending.result.join()));
            }
        }
        return outcome;
    }

    /** Completes when something of what is on its way has come back. */
    CompletableFuture<?> nextEnd() {
        return sendings.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : CompletableFuture.anyOf(sendings.stream().map(Sending::result).toArray(CompletableFuture[]::new));
    }

    /** Completes when nothing is on its way any more. */
    CompletableFuture<?> end() {
        return CompletableFuture.allOf(sendings.stream().map(Sending::result).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<PublishResult> publish(Attempt attempt, long end) {
        var rows = attempt.messages().stream().map(OutboxRow::new).toList();
        CompletableFuture<PublishResult> result = sender.send(
                rows,
                () -> !leaving && nanoTime.getAsLong() - end < 0,
                entity.get().orElse(null));
        // Beside the result and not before it: the loop may look for the result as soon as it is told.
        var unused = result.whenComplete((answer, thrown) -> onArrival.run());
        return result;
    }

    private TurnOutcome settle(OutboxHolds holds, Attempt attempt, PublishResult result) {
        var published = attempt.messages().subList(0, result.accepted());
        boolean refused = result.outcome() == Outcome.MESSAGE_REFUSED;
        Duration rest = result.failure() == null ? Duration.ZERO : AFTER_FAILURE;
        AttemptResult ending =
                refused ? AttemptResult.parked(LanePage.causeOf(result.failure())) : AttemptResult.interrupted(rest);
        try {
            holds.settle(attempt, published, ending);
        } catch (RuntimeException | Error e) {
            recovery.holdsUnrecorded();
            throw e;
        }
        sent += published.size();
        return new TurnOutcome(published.size(), 0, refused ? null : result.failure());
    }

    private record Sending(Attempt attempt, CompletableFuture<PublishResult> result) {}

    /**
     * How long an attempt takes.
     *
     * @param mayStart how long sends may be started
     * @param whole after which nothing of it can be under way any more
     */
    record AttemptTime(Duration mayStart, Duration whole) {
        /** For a publisher whose sends take no longer than this. */
        static AttemptTime of(Duration leaseDuration, Duration longestSend) {
            return new AttemptTime(leaseDuration.dividedBy(2), leaseDuration.plus(longestSend));
        }
    }
}
